import assert from "node:assert/strict";
import { earlyEndOf } from "../../../../lib/engine/run_context/early_end.ts";
import { parseGoal } from "../../../../lib/engine/run_context/precision_goal.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { Stop } from "../../../../lib/engine/vu/stop.ts";
import type { RunFacts } from "../../../../lib/results/report/summary.ts";
import { progressOf } from "./second_of_progress.ts";

const PLAN = { executor: "closed" } as RunPlan;

/** In which second `until` ends a run whose seconds take so long; its notes. */
async function ended(
  until: string,
  ms: (t: number) => number,
  plan = PLAN,
  seconds = 60,
) {
  const early = await earlyEndOf({} as RunFacts, plan, {
    until: parseGoal(until),
  });
  const stop = new Stop();
  let at: number | undefined;
  for (let t = 0; t < seconds && at === undefined; t++) {
    early.note([progressOf(t, ms(t)), progressOf(t, ms(t))], stop);
    if (stop.requested) at = t;
  }
  return { at, notes: early.notes(30_000), why: stop.reason };
}

Deno.test("--until ends a run once the percentile is so sure, and says after how long", async () => {
  const { at, notes } = await ended("p50 within 5%", () => 20);
  assert.equal(at, 9);
  assert.deepEqual(notes, ["p50 within 5%: reached after 30s"]);
});

Deno.test("--until lets a run go on whose seconds differ, and says how sure it was", async () => {
  const { at, notes } = await ended("p50 within 1%", (t) => 20 + t % 7 * 10);
  assert.equal(at, undefined);
  assert.match(
    notes[0]!,
    /^p50 within 1%: not reached when the run was over: within \d/,
  );
});

Deno.test("--until ends no run of rows, and takes percentiles with a decimal", async () => {
  const rows = { executor: "rows" } as RunPlan;
  const { at, notes } = await ended("p50 within 5%", () => 20, rows);
  assert.deepEqual([at, notes], [undefined, []]);
  assert.equal(parseGoal("p99.9 within 10%").percentile, 99.9);
  assert.throws(() => parseGoal("p100 within 5%"), /not what a run can end at/);
});
