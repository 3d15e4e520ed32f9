import assert from "node:assert/strict";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { BreachWatch } from "../../../../lib/engine/run_context/breach_watch.ts";
import type { PartFigures } from "../../../../lib/results/record/part_figures.ts";
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
    "`error_rate < 5%` cannot be met any more: 50 of 1,000 iterations failed",
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

Deno.test("BreachWatch ends a run that breaks a threshold of a step, by the figures of its seconds", () => {
  const asked: (readonly number[])[] = [];
  const latency = (ms: number) => ({
    ...{ count: 1_000, min: ms, avg: ms, max: ms },
    percentile: () => ms,
  });
  const parts = (ms: number): PartFigures => (part, seconds) => {
    assert.equal(part, "pay");
    asked.push(seconds.map(({ t }) => t));
    const counts = { completed: 0, failed: 0, throttled: 0 };
    return { ...counts, bytes: NaN, seconds: 0, latency: latency(ms) };
  };
  const endedBy = (threshold: string, ms: number) => {
    const watch = new BreachWatch([parseThreshold(threshold)], undefined);
    for (let t = 0; t < 60; t++) {
      const due = watch.wantsParts();
      const why = watch.note(
        [progressOf(t, 1), progressOf(t, 1)],
        () => due ? parts(ms) : undefined,
      );
      if (why !== undefined) return [t, why];
    }
  };
  assert.deepEqual(endedBy("pay: p95(latency) < 100ms", 200), [
    14,
    "`pay: p95(latency) < 100ms` was broken in 3 windows running",
  ]);
  assert.deepEqual(asked.at(-1), [10, 11, 12, 13, 14]);
  assert.equal(endedBy("pay: p95(latency) < 300ms", 200), undefined);
  assert.equal(endedBy("pay: error_rate < 1%", 200), undefined);
});

Deno.test("BreachWatch puts the latencies of steps together every five seconds, however long a window takes", () => {
  const threshold = parseThreshold("pay: p99(latency) < 100ms");
  const watch = new BreachWatch([threshold], undefined);
  const none = { count: 0, min: 0, avg: 0, max: 0, percentile: () => NaN };
  const due: number[] = [];
  for (let t = 0; t < 30; t++) {
    if (watch.wantsParts()) due.push(t);
    watch.note([progressOf(t, 1)], () => () => ({
      ...{ completed: 0, failed: 0, throttled: 0, bytes: NaN, seconds: 0 },
      latency: none,
    }));
  }
  assert.deepEqual(due, [4, 9, 14, 19, 24, 29]);
});
