import assert from "node:assert/strict";
import {
  BAD_OUTCOMES,
  countAll,
  countSamples,
  OUTCOME_NAMES,
  OUTCOMES,
} from "../../../lib/model/outcome.ts";

Deno.test("outcomes: the worst comes first, and no two look alike", () => {
  assert.deepEqual(BAD_OUTCOMES, ["failed", "throttled"]);
  assert.deepEqual(OUTCOME_NAMES, ["passed", "throttled", "failed"]);
  for (const fact of ["sign", "color", "tone", "column", "causes"] as const) {
    const all = OUTCOME_NAMES.map((each) => OUTCOMES[each][fact]);
    assert.equal(new Set(all).size, all.length, fact);
  }
});

Deno.test("outcomes: throttled attempts count, but are no samples of the target", () => {
  const counts = { passed: 1, throttled: 10, failed: 100 };
  assert.equal(countAll(counts), 111);
  assert.equal(countSamples(counts), 101);
});
