import { deepStrictEqual } from "node:assert/strict";
import { NO_ITERATIONS } from "../../../../lib/model/result/totals.ts";
import { mergeProgress } from "../../../../lib/results/record/progress.ts";

Deno.test("mergeProgress(): threads that have reported nothing yet are a run without figures", () => {
  deepStrictEqual(mergeProgress([], 1_000, 0.5), {
    lateMs: 0,
    elapsedMs: 1_000,
    share: 0.5,
    iterations: NO_ITERATIONS,
    requests: 0,
    perSecond: undefined,
    p95Ms: 0,
    vus: 0,
  });
});
