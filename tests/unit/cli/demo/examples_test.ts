import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type InputFile, prepareRun } from "../../../../lib/compile.ts";
import { readFixture } from "../../../../lib/engine/data/fixture.ts";
import { DEMO_CREDENTIALS, USERS } from "../../../../cli/demo/shop.ts";

const EXAMPLES = new URL("../../../../examples/", import.meta.url);

/** Paths of the example flows. */
function flows(folder = ""): string[] {
  return [...Deno.readDirSync(new URL(folder, EXAMPLES))].flatMap((entry) =>
    entry.isDirectory
      ? flows(`${folder}${entry.name}/`)
      : entry.name.endsWith(".bench.yaml")
      ? [folder + entry.name]
      : []
  ).sort();
}

/** The file as the command line would read it. */
function input(path: string): InputFile {
  const url = new URL(path, EXAMPLES);
  return {
    file: path,
    bytes: Deno.readFileSync(url),
    directory: fileURLToPath(new URL("./", url)),
    form: "yaml",
  };
}

function demoEnvironment(): Map<string, string> {
  const text = Deno.readTextFileSync(new URL("auth/demo.env", EXAMPLES));
  return new Map(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map((
      [, name, value],
    ) => [name!, value!]),
  );
}

const target = input("targets/demo.yaml");
const environment = {
  env: (name: string) => demoEnvironment().get(name),
  readBytes: (path: string) => Deno.readFileSync(path),
};

for (const path of flows()) {
  Deno.test(`examples: ${path} may run against the demo target`, async () => {
    const prepared = await prepareRun(input(path), target, environment);
    strictEqual(prepared.target.name, "demo");
  });
}

Deno.test("examples: there is one flow for each scheme that has a credential", () => {
  const named = flows().filter((path) => path.startsWith("auth/"))
    .map((path) => path.slice("auth/".length, -".bench.yaml".length));
  deepStrictEqual(named, [
    "api_key",
    "basic",
    "bearer",
    "cookie",
    "hmac",
    "oauth2",
  ]);
});

Deno.test("examples: the fixture holds the accounts of the demo target", () => {
  const fixture = readFixture(
    "data/users.csv",
    "csv",
    (path) => Deno.readFileSync(new URL(path, EXAMPLES)),
  );
  const accounts: Record<string, string | undefined> = {};
  for (let index = 0; index < fixture.size; index++) {
    const row = fixture.row(index);
    accounts[row.get("name")!.text] = row.get("password")?.text;
    ok(row.get("wants"));
  }
  deepStrictEqual(accounts, USERS);
});

Deno.test("examples: demo.env holds what the demo target accepts", () => {
  const accepted = Object.entries(DEMO_CREDENTIALS).map(([name, value]) =>
    [`DEMO_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`, value] as const
  );
  deepStrictEqual(demoEnvironment(), new Map(accepted));
});
