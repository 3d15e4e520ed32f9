import assert from "node:assert/strict";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { BreachWatch } from "../../../../lib/engine/run_context/breach_watch.ts";
import { progressOf } from "./second_of_progress.ts";

/** In which second the watch ends a run whose seconds take so long, and why. */
function ended(
  threshold: string,
  ms: (t: number) => number,
  seconds = 60,
  mayRecover = false,
): readonly [t: number, why: string] | undefined {
  const watch = new BreachWatch(
    [parseThreshold(threshold)],
    undefined,
    mayRecover,
  );
  for (let t = 0; t < seconds; t++) {
    const why = watch.note([progressOf(t, ms(t)), progressOf(t, ms(t))]);
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

Deno.test("BreachWatch lets a load that falls again go on until the whole of it is broken", () => {
  const spike = (t: number) => t >= 30 ? 200 : 20;
  assert.equal(ended("avg(latency) < 100ms", spike)?.[0], 44);
  assert.equal(ended("avg(latency) < 100ms", spike, 60, true)?.[0], 54);
  const back = (t: number) => t >= 30 && t < 50 ? 200 : 20;
  assert.equal(ended("avg(latency) < 100ms", back, 90, true), undefined);
});

Deno.test("BreachWatch waits until a percentile has enough samples", () => {
  const [t] = ended("p99(latency) < 100ms", () => 200)!;
  assert.equal(t, 26);
});

Deno.test("BreachWatch ends a run of known length whose failures are too many already", () => {
  const watch = new BreachWatch([parseThreshold("error_rate < 5%")], 1_000);
  assert.equal(watch.note([progressOf(0, 1, 49)]), undefined);
  assert.equal(
    watch.note([progressOf(1, 1, 30), progressOf(1, 1, 20)]),
    "`error_rate < 5%` cannot be met any more: 50 of 1000 iterations failed",
  );
});

Deno.test("BreachWatch counts a second once, however often it is reported", () => {
  const watch = new BreachWatch(
    [parseThreshold("max(latency) < 1ms")],
    undefined,
  );
  for (let i = 0; i < 100; i++) {
    assert.equal(watch.note([progressOf(3, 50)]), undefined);
  }
});
