import { deepEqual } from "node:assert/strict";
import { valuesText } from "../../../../lib/results/report/failure_texts.ts";

Deno.test("valuesText: null is said once", () => {
  const compared = {
    expected: { type: "integer", text: "3", operator: "<" },
    actual: { type: "null", text: "null" },
  };
  deepEqual(valuesText(compared), [
    "expected: < integer <3>",
    "actual:   null",
  ]);
});
