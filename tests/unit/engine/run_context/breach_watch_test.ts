import assert from "node:assert/strict";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { BreachWatch } from "../../../../lib/engine/run_context/breach_watch.ts";
import type { Progress } from "../../../../lib/results/record/recorder.ts";
import { FineBuckets } from "../../../../lib/results/histograms/fine_buckets.ts";
import { emptySecond } from "../../../../lib/results/record/seconds.ts";

/** One thread after a second of 40 iterations that took `ms`. */
function progress(t: number, ms: number, failed = 0): Progress {
  const fine = new FineBuckets();
  for (let i = 0; i < 40; i++) fine.record(ms);
  const counts = { completed: 40, started: 40, passed: 40, max: ms };
  return {
    iterations: {
      started: 40 * (t + 1),
      completed: 40 * (t + 1),
      passed: 0,
      failed,
      throttled: 0,
      interrupted: 0,
    },
    requests: 0,
    second: {
      ...emptySecond(1),
      ...counts,
      t,
      buckets: fine.packed(),
      steps: new Uint32Array(0),
    },
  };
}

/** In which second the watch ends a run whose seconds take so long, and why. */
function ended(
  threshold: string,
  ms: (t: number) => number,
  seconds = 60,
): readonly [t: number, why: string] | undefined {
  const watch = new BreachWatch([parseThreshold(threshold)], undefined);
  for (let t = 0; t < seconds; t++) {
    const why = watch.note([progress(t, ms(t)), progress(t, ms(t))]);
    if (why !== undefined) return [t, why];
  }
}

Deno.test("BreachWatch ends a run that breaks a threshold in three windows of five seconds running", () => {
  assert.deepEqual(ended("p95(latency) < 100ms", () => 200), [
    14,
    "`p95(latency) < 100ms` was broken in 3 windows running",
  ]);
  assert.equal(ended("p95(latency) < 300ms", () => 200), undefined);
});

Deno.test("BreachWatch lets a run go on that has a bad moment now and then", () => {
  assert.equal(
    ended("p95(latency) < 100ms", (t) => t % 15 < 10 ? 200 : 20),
    undefined,
  );
});

Deno.test("BreachWatch waits until a percentile has enough samples", () => {
  const [t] = ended("p99(latency) < 100ms", () => 200)!;
  assert.equal(t, 26);
});

Deno.test("BreachWatch ends a run of known length whose failures are too many already", () => {
  const watch = new BreachWatch([parseThreshold("error_rate < 5%")], 1_000);
  assert.equal(watch.note([progress(0, 1, 49)]), undefined);
  assert.equal(
    watch.note([progress(1, 1, 30), progress(1, 1, 20)]),
    "`error_rate < 5%` cannot be met any more: 50 of 1000 iterations failed",
  );
});

Deno.test("BreachWatch counts a second once, however often it is reported", () => {
  const watch = new BreachWatch(
    [parseThreshold("max(latency) < 1ms")],
    undefined,
  );
  for (let i = 0; i < 100; i++) {
    assert.equal(watch.note([progress(3, 50)]), undefined);
  }
});
