import { deepEqual, equal } from "node:assert/strict";
import { ProcessCost } from "../../../../lib/engine/workers/process_cost.ts";
import { LEAD_MS } from "../../../../lib/engine/workers/worker_pool.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

/** When it is asked again, over this many seconds, by when the run starts. */
function asked(startedAt: number, seconds: number, lateMs = 0): number[] {
  const clock = new ManualClock(0);
  const cost = new ProcessCost(clock, startedAt);
  return Array.from({ length: seconds }, () => {
    clock.time += cost.sleepFor(1_000) + lateMs;
    cost.begins();
    return Math.round(clock.time - startedAt);
  });
}

Deno.test("ProcessCost: its seconds are those of what is measured, however long a look takes", () => {
  deepEqual(asked(0, 3), [1_000, 2_000, 3_000]);
  deepEqual(asked(0, 3, 150), [1_150, 2_150, 3_150]);
  // A sleep that ends early does not make it look twice.
  deepEqual(asked(0, 3, -0.01), [1_000, 2_000, 3_000]);
  // The lead of a run is no warm-up.
  deepEqual(asked(LEAD_MS, 2), [1_000, 2_000]);
  deepEqual(asked(2_300, 4), [-2_000, -1_000, 0, 1_000]);
});

Deno.test("ProcessCost: a warm-up ends once, and only then", () => {
  const begins = (startedAt: number) => {
    const clock = new ManualClock(0);
    const cost = new ProcessCost(clock, startedAt);
    return Array.from({ length: 4 }, () => {
      clock.time += cost.sleepFor(1_000);
      return cost.begins();
    });
  };
  deepEqual(begins(1_500), [false, true, false, false]);
  deepEqual(begins(0), [false, false, false, false]);
  deepEqual(begins(LEAD_MS), [false, false, false, false]);
});

Deno.test("ProcessCost: seconds of a warm-up are not counted", () => {
  const clock = new ManualClock(0);
  const cost = new ProcessCost(clock, 1_500);
  for (let look = 0; look < 4; look++) {
    clock.time += cost.sleepFor(1_000);
    if (!cost.begins()) cost.tick();
  }
  const { cpuSeconds, durationMs } = cost.of([]);
  equal(cpuSeconds.length, 2);
  equal(Math.round(durationMs), 2_000);
});
