import assert from "node:assert/strict";
import { budgetOf } from "../../../../lib/engine/plan/budget.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";

const PLAN: RunPlan = {
  mode: "load",
  executor: "closed",
  seed: 1,
  peakVus: 1,
  iterations: 2,
  requestTimeoutMs: 30_000,
  graceMs: 30_000,
};

Deno.test("budgetOf counts the rounds of a poll: one an interval, as long as there is time", () => {
  const second = 1_000_000;
  const table: [bounds: JsonObject, rounds: number][] = [
    [{ timeout_us: 3 * second }, 3],
    [{ timeout_us: 3 * second + 1 }, 4],
    [{ timeout_us: second / 2 }, 1],
    [{ max_attempts: 7 }, 7],
    [{ max_attempts: 7, timeout_us: 3 * second }, 3],
  ];
  for (const [bounds, rounds] of table) {
    const block = { interval_us: second, ...bounds };
    const flow = {
      ir: 1,
      flow: "f",
      steps: [{ id: "p", kind: "poll", block, on_failure: "record" }],
    };
    const budget = budgetOf(
      { flow } as unknown as Parameters<typeof budgetOf>[0],
      PLAN,
    );
    assert.deepEqual(budget.requestsPerIteration, { least: 1, most: rounds });
    assert.equal(budget.requests, 2 * rounds);
  }
});
