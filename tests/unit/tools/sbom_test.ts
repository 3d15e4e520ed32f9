import { deepStrictEqual, ok, throws } from "node:assert/strict";
import {
  programSources,
  sbomOf,
  shippedPackages,
} from "../../../tools/sbom.ts";

const ROOT = new URL("../../../", import.meta.url);
const LOCK = {
  specifiers: { "npm:a@1.0.0": "1.0.0", "npm:@s/b@2.0.0": "2.0.0_a@1.0.0" },
  npm: {
    "a@1.0.0": { integrity: "sha512-AAEC" },
    "@s/b@2.0.0_a@1.0.0": {
      integrity: "sha512-AAEC",
      dependencies: ["a", "c"],
    },
    "c@3.0.0": { integrity: "sha512-AAEC", dependencies: ["@s/b"] },
    "unused@1.0.0": { integrity: "sha512-AAEC" },
  },
};

Deno.test("sbomOf lists what the roots reach, each once, and the runtime", () => {
  const { components, dependencies } = sbomOf(
    LOCK,
    ["npm:@s/b@2.0.0"],
    "2.9.6",
  );
  deepStrictEqual(components.map(({ name, version }) => `${name} ${version}`), [
    "deno 2.9.6",
    "@s/b 2.0.0",
    "a 1.0.0",
    "c 3.0.0",
  ]);
  deepStrictEqual(components[1], {
    type: "library",
    "bom-ref": "@s/b@2.0.0_a@1.0.0",
    name: "@s/b",
    version: "2.0.0",
    purl: "pkg:npm/%40s/b@2.0.0",
    hashes: [{ alg: "SHA-512", content: "000102" }],
  });
  deepStrictEqual(dependencies[0], {
    ref: "bench",
    dependsOn: ["@s/b@2.0.0_a@1.0.0", "deno"],
  });
});

Deno.test("sbomOf refuses a package the lock file lacks", () => {
  throws(
    () => sbomOf(LOCK, ["npm:x@1.0.0"], "2.9.6"),
    /deno\.lock does not have npm:x@1\.0\.0/,
  );
});

Deno.test("shippedPackages separates what the program imports from what tests import", () => {
  const read = (name: string) =>
    JSON.parse(Deno.readTextFileSync(new URL(name, ROOT)));
  const shipped = shippedPackages(
    [...programSources(ROOT)],
    read("deno.json").imports,
  );
  const names = shipped.map((each) =>
    each.slice("npm:".length, each.lastIndexOf("@"))
  );
  for (const name of ["commander", "yaml", "protobufjs", "ajv"]) {
    ok(names.includes(name), name);
  }
  for (const name of ["fast-check", "saxes", "playwright-core", "express"]) {
    ok(!names.includes(name), name);
  }
  ok(
    sbomOf(read("deno.lock"), shipped, "2.9.6").components.length >
      names.length,
  );
});
