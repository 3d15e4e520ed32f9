import { equal, notEqual } from "node:assert/strict";
import { casesIn, diagnosticsOf, messagesOf } from "./read_case.ts";

/*
 * One folder per feature, in it one per rule: an input file and the exact text a
 * person reads.
 * After an intended change: deno test -A tests/golden/diagnostics_test.ts -- --update
 */
const CASES = new URL("./diagnostics/", import.meta.url);
const UPDATE = Deno.args.includes("--update");
const ALL_OPERATORS = /(?<=operators: )==, .*, not_exists$/gm;
const INPUTS = ["flow.yaml", "flow.json", "target.yaml"];

for (const { name, folder } of casesIn(CASES)) {
  Deno.test(`diagnostics: ${name.replaceAll("-", " ")}`, async () => {
    const inputs = [...Deno.readDirSync(folder)].map((each) => each.name)
      .filter((each) => INPUTS.includes(each));
    const [input = ""] = inputs;
    // With a target beside the flow, everything before a run is checked.
    const text = inputs.length > 1
      ? await messagesOf(folder)
      : await diagnosticsOf(
        input,
        Deno.readFileSync(new URL(input, folder)),
        folder,
      );
    notEqual(text, "", "the case reports nothing");
    // One more operator is no other message.
    const diagnostics = text.replaceAll(ALL_OPERATORS, "[all of them]");
    const expected = new URL("expected.txt", folder);
    if (UPDATE) Deno.writeTextFileSync(expected, diagnostics);
    equal(diagnostics, Deno.readTextFileSync(expected));
  });
}

Deno.test("diagnostics: a flow with ten errors reports exactly ten, in file order", () => {
  const text = Deno.readTextFileSync(
    new URL("flow/ten-mistakes/expected.txt", CASES),
  );
  const lines = [...text.matchAll(/^flow\.yaml:(\d+):\d+: error: /gm)]
    .map((match) => Number(match[1]));
  equal(lines.length, 10);
  equal(String(lines), String(lines.toSorted((a, b) => a - b)));
});
