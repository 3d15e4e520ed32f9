import { equal } from "node:assert/strict";
import { readCase } from "./read_case.ts";

/*
 * One folder per part of the flow language: a flow and its canonical bytes.
 * The Python SDK's tests read the same folders.
 * After an intended change: deno test -A tests/golden/ir_test.ts -- --update
 */
const CASES = new URL("./ir/", import.meta.url);
const UPDATE = Deno.args.includes("--update");

const names = [...Deno.readDirSync(CASES)].filter((each) => each.isDirectory)
  .map((each) => each.name).sort();

for (const name of names) {
  const folder = new URL(`${name}/`, CASES);
  const expected = new URL("ir.json", folder);

  Deno.test(`IR: ${name.replaceAll("-", " ")}`, async () => {
    const bytes = Deno.readFileSync(new URL("flow.yaml", folder));
    const canonical = await readCase("flow.yaml", bytes, folder);
    if (UPDATE) Deno.writeTextFileSync(expected, canonical);
    equal(canonical, Deno.readTextFileSync(expected));
  });

  Deno.test(`IR: ${name.replaceAll("-", " ")} reads back to the same bytes`, async () => {
    const bytes = Deno.readFileSync(expected);
    const canonical = await readCase("flow.json", bytes);
    equal(canonical, new TextDecoder().decode(bytes));
  });
}
