import { deepStrictEqual, equal } from "node:assert/strict";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";

/** Parts as the lines they begin with, with the index of the step. */
function begins(text: string): (string | [number, string])[] {
  return new EditorDocument(text).parts.map(({ text, step }) => {
    const line = text.split("\n").find((each) => /^\s*[^\s#]/.test(each)) ?? "";
    return step === undefined ? line.trim() : [step, line.trim()];
  });
}

Deno.test("EditorDocument: every top-level key and every step is a part of its own", () => {
  const text = "# about\nflow: f\nprofile:\n  mode: load\nsteps:\n" +
    "  # first\n  - id: a\n    call: GET /\n\n  - id: b\n    assert:\n" +
    "      - status == 200\ndata: u.csv\n";
  deepStrictEqual(begins(text), [
    "flow: f",
    "profile:",
    "steps:",
    [0, "- id: a"],
    [1, "- id: b"],
    "data: u.csv",
  ]);
  equal(new EditorDocument(text).parts.map((each) => each.text).join(""), text);
});

Deno.test("EditorDocument: steps may stand at the left edge, and a dash elsewhere begins none", () => {
  const text = "steps:\n- id: a\n  body:\n  - 1\n- id: b\nprofile:\n  - x\n";
  deepStrictEqual(begins(text), [
    "steps:",
    [0, "- id: a"],
    [1, "- id: b"],
    "profile:",
  ]);
});

Deno.test("EditorDocument: brackets, block scalars and comments begin no part", () => {
  const text = "auth: {\n  scheme: none\n}\nsteps:\n  - id: a\n    graphql:\n" +
    "      query: |\n        query {\n          - a\n        }\n# end\n";
  deepStrictEqual(begins(text), ["auth: {", "steps:", [0, "- id: a"]]);
});

Deno.test("EditorDocument: a file written in one bracket is one part", () => {
  deepStrictEqual(begins("{ flow: f,\n  steps: [] }\n"), ["{ flow: f,"]);
  deepStrictEqual(begins(""), [""]);
});

Deno.test("EditorDocument: line ends of Windows are line ends", () => {
  const text = "flow: f\r\nsteps:\r\n  - id: a\r\n  - id: b\r\n";
  deepStrictEqual(begins(text), [
    "flow: f",
    "steps:",
    [0, "- id: a"],
    [1, "- id: b"],
  ]);
});
