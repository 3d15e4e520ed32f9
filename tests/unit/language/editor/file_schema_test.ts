import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { INIT_FILES } from "../../../../cli/flow/init_command.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import {
  flowFileSchema,
  targetSchema,
} from "../../../../lib/language/editor/file_language.ts";
import { InputError } from "../../../../lib/base/text/diagnostic.ts";
import { readCase } from "../../../golden/read_case.ts";

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  validateFormats: false,
});
const validators = {
  flow: ajv.compile(flowFileSchema(registry)),
  target: ajv.compile(targetSchema()),
};

const ROOT = new URL("../../../../", import.meta.url);
const GOLDEN = new URL("tests/golden/", ROOT);

/** What an editor would say; undefined when it would say nothing. */
function refusal(of: "flow" | "target", yaml: string): string | undefined {
  const validate = validators[of];
  return validate(parse(yaml, { logLevel: "error", merge: true }))
    ? undefined
    : ajv.errorsText(validate.errors);
}

function* files(folder: URL, ending: string): Generator<URL> {
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.isDirectory) {
      yield* files(new URL(`${entry.name}/`, folder), ending);
    } else if (entry.name.endsWith(ending)) yield new URL(entry.name, folder);
  }
}

function relative(url: URL): string {
  return url.href.slice(ROOT.href.length);
}

const flows = [
  ...files(new URL("ir/", GOLDEN), "flow.yaml"),
  ...files(new URL("examples/", ROOT), ".bench.yaml"),
].sort();

Deno.test("flowSchema: there are golden flows and examples to accept", () => {
  ok(flows.length > 20, String(flows.length));
});

for (const url of flows) {
  Deno.test(`flowSchema accepts ${relative(url)}`, () => {
    strictEqual(refusal("flow", Deno.readTextFileSync(url)), undefined);
  });
}

Deno.test("targetSchema accepts the targets of the examples", () => {
  const targets = [...files(new URL("examples/targets/", ROOT), ".yaml")];
  ok(targets.length > 0);
  for (const url of targets) {
    strictEqual(refusal("target", Deno.readTextFileSync(url)), undefined);
  }
});

Deno.test("the schemas accept what `bench init` writes", () => {
  strictEqual(refusal("flow", INIT_FILES["first.bench.yaml"]!), undefined);
  strictEqual(refusal("target", INIT_FILES["targets/demo.yaml"]!), undefined);
});

/** Rules that one value or one mapping can break by itself. */
const EXPRESSIBLE = new Set([
  "auth-without-request",
  "bad-call",
  "bad-duration",
  "bad-fixture",
  "bad-id",
  "bad-method",
  "bad-name",
  "bad-ramp",
  "bad-rate",
  "credentials-in-target",
  "hold-twice",
  "key-not-allowed",
  "key-twice",
  "secret-not-env",
  "missing-key",
  "no-action",
  "no-base-url",
  "no-statuses",
  "no-steps",
  "other-scheme",
  "out-of-range",
  "poll-bound",
  "poll-until",
  "template-in-key",
  "template-not-allowed",
  "two-actions",
  "unknown-key",
  "unknown-value",
  "unquoted-template",
  "url-and-endpoint",
  "version-key",
  "wrong-type",
]);

/** The codes a file is refused with. */
async function codesOf(file: string, url: URL): Promise<string[]> {
  try {
    await readCase(file, Deno.readFileSync(url));
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map((each) => each.code);
  }
}

const covered = new Set<string>();
for (const file of ["flow.yaml", "target.yaml"] as const) {
  for (const url of [...files(new URL("diagnostics/", GOLDEN), file)].sort()) {
    const name = relative(url).split("/").slice(-3, -1).join("/");
    const codes = await codesOf(file, url);
    const expressible = codes.filter((code) => EXPRESSIBLE.has(code));
    if (expressible.length === 0) continue;
    expressible.forEach((code) => covered.add(code));
    Deno.test(`schema refuses ${name}/${file}: ${[...new Set(expressible)].join(", ")}`, () => {
      let said: string | undefined;
      try {
        said = refusal(
          file === "flow.yaml" ? "flow" : "target",
          Deno.readTextFileSync(url),
        );
      } catch (error) {
        // To an editor it is no YAML to begin with.
        said = String(error);
      }
      ok(said);
    });
  }
}

Deno.test("schema: each rule it can express has a case", () => {
  deepStrictEqual([...EXPRESSIBLE].filter((code) => !covered.has(code)), []);
});

Deno.test("flowSchema has every action and every auth scheme", () => {
  const text = JSON.stringify(flowFileSchema(registry));
  for (const kind of registry.kinds.keys()) {
    ok(text.includes(`{"required":["${kind}"]`), kind);
  }
  for (const name of registry.schemes.keys()) {
    ok(text.includes(`"const":"${name}"`), name);
  }
});
