import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readFixture } from "../../../lib/data/fixture.ts";
import { DEMO_CREDENTIALS, USERS } from "../../../lib/demo/accounts.ts";
import { parseFlow } from "../../../lib/parse/flow.ts";
import { parseTarget } from "../../../lib/parse/target.ts";
import { Reader } from "../../../lib/source/reader.ts";
import { validateFlow } from "../../../lib/validate/flow.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);

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

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, EXAMPLES));
}

for (const path of flows()) {
  Deno.test(`examples: ${path} is a valid flow`, () => {
    const text = read(path);
    const reader = new Reader(path);
    const flow = parseFlow(text, reader);
    deepStrictEqual(reader.diagnostics, []);
    const found: string[] = [];
    validateFlow(
      flow!,
      (pointer, code, message) =>
        void found.push(`${pointer} ${code} ${message}`),
    );
    deepStrictEqual(found, []);
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

Deno.test("examples: the target file is valid", () => {
  const text = read("targets/demo.yaml");
  const reader = new Reader("targets/demo.yaml");
  const target = parseTarget(text, reader);
  deepStrictEqual(reader.diagnostics, []);
  deepStrictEqual(target?.base_urls, ["http://127.0.0.1:7800"]);
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
  const lines = read("auth/demo.env").split("\n")
    .filter((line) => line.startsWith("DEMO_"));
  for (const [name, value] of Object.entries(DEMO_CREDENTIALS)) {
    const variable = name.replace(/[A-Z]/g, "_$&").toUpperCase();
    ok(lines.includes(`DEMO_${variable}=${value}`), variable);
  }
  strictEqual(lines.length, Object.keys(DEMO_CREDENTIALS).length);
});
