import { deepEqual, match } from "node:assert/strict";
import type { RunMeta, StepSummary } from "../../../../lib/model/result/run.ts";
import type { SecondPoint } from "../../../../lib/model/result/series.ts";
import { findingsOf } from "../../../../lib/results/report/findings.ts";
import { metaOf, verdictOf } from "../../../support/viewer_fixture.ts";

const NOTHING_MORE = {
  seconds: [],
  targetCpu: [],
  steady: { fromMs: 0, toMs: Infinity },
};

const seenOf = (
  meta: Partial<RunMeta>,
  more: Partial<Parameters<typeof findingsOf>[0]> = {},
) =>
  findingsOf({ ...NOTHING_MORE, meta: metaOf(meta), ...more })
    .map(({ seen }) => seen);

function stepOf(id: string, avg: number, connect = 0): StepSummary {
  const figures = { min: 1, avg, p50: 1, p90: 1, p95: 1, p99: 1, max: 1 };
  const phase = (count: number, ms: number) => (
    { count, avg: ms, p50: ms, p95: ms, p99: ms, max: ms }
  );
  return {
    id,
    kind: "call",
    executions: 200,
    requests: 200,
    passed: 200,
    throttled: 0,
    failed: 0,
    attempts: { passed: 200, throttled: 0, failed: 0 },
    bytes_sent: 1,
    bytes_received: 1,
    checks: [],
    http_versions: [],
    latency: figures,
    throttled_latency: figures,
    phases: {
      ...(connect > 0 && { connect: phase(200, connect) }),
      ttfb: phase(200, avg),
    },
  };
}

const secondsOf = (p95: (t: number) => number, vus = (_: number) => 5) =>
  Array.from({ length: 90 }, (_, t) => (
    { t, vus: vus(t), p95: p95(t) } as SecondPoint
  ));

Deno.test("findingsOf: an ordinary run has none, one whose generator was the limit has that", () => {
  const even = [stepOf("a", 5), stepOf("b", 5)];
  deepEqual(seenOf({ steps: even }, { seconds: secondsOf(() => 5) }), []);
  const limited = {
    generator: { limited: true, detail: "the generator was the limit: it" },
  } as Partial<RunMeta>;
  deepEqual(seenOf(limited), ["The generator was the limit: it."]);
});

Deno.test("findingsOf: throttled before broken, and not when it broke", () => {
  const throttled = { throttle_rate: 0.2, error_rate: 0 };
  const seconds = (iterations_failed: number) =>
    Array.from({ length: 20 }, (_, t) => ({
      t,
      completed: 10,
      iterations_throttled: 2,
      iterations_failed,
    } as SecondPoint));
  const at = { seconds: seconds(0) };
  match(seenOf(throttled, at)[0]!, /throttled 20% of the iterations/);
  const broken = [verdictOf("p95(latency) < 1s", 2_000, false, 5_000)];
  deepEqual(seenOf({ ...throttled, thresholds: broken }, at), []);
  // One in ten fails: it is broken, and limits the rate as well.
  const both = { ...throttled, error_rate: 0.1 };
  deepEqual(seenOf(both, { seconds: seconds(1) }), []);
});

Deno.test("findingsOf: one step holds most of the time, or opening connections does", () => {
  deepEqual(seenOf({ steps: [stepOf("pay", 90), stepOf("b", 10)] }), [
    "`pay` takes 90% of the time that steps wait for responses.",
  ]);
  deepEqual(seenOf({ steps: [stepOf("a", 5, 5), stepOf("b", 5, 5)] }), [
    "400 connections were opened, which took 50% of the time of all exchanges.",
  ]);
  // Frames of a session that is open have a time, and no phases.
  const { phases: _none, ...echo } = stepOf("echo", 30);
  deepEqual(seenOf({ steps: [stepOf("open", 5, 5), echo] }), [
    "`echo` takes 85.71% of the time that steps wait for responses.",
  ]);
});

Deno.test("findingsOf: responses that throttle are waited for as well", () => {
  const pay = stepOf("pay", 10);
  const limited = {
    ...stepOf("limited", 10),
    attempts: { passed: 1, throttled: 199, failed: 0 },
    throttled_latency: pay.latency,
  };
  deepEqual(seenOf({ steps: [pay, limited] }), []);
  const slow = { ...limited, throttled_latency: stepOf("slow", 90).latency };
  deepEqual(seenOf({ steps: [pay, slow] }), [
    "`limited` takes 89.96% of the time that steps wait for responses.",
  ]);
});

Deno.test("findingsOf: drift is said of a run with as many VUs throughout", () => {
  const rising = secondsOf((t) => 10 + t);
  match(seenOf({}, { seconds: rising })[0]!, /rose from 1[0-2]ms to 9[5-9]ms/);
  const ramp = secondsOf((t) => 10 + t, (t) => 1 + t);
  deepEqual(seenOf({}, { seconds: ramp }), []);
  // Noise has a slope as well.
  const noise = secondsOf((t) => 10 + (t * 7_919) % 13);
  deepEqual(seenOf({}, { seconds: noise }), []);
  const stall = secondsOf((t) => (t === 80 ? 900 : 10));
  deepEqual(seenOf({}, { seconds: stall }), []);
});

Deno.test("findingsOf: drift is looked for in the longest part at one level of load", () => {
  const seconds = secondsOf((t) => t < 20 ? 10 + t * 5 : 110);
  match(seenOf({}, { seconds: secondsOf((t) => 10 + t) })[0]!, /rose from/);
  const steady = { fromMs: 20_000, toMs: 90_000 };
  deepEqual(seenOf({}, { seconds, steady }), []);
});

Deno.test("findingsOf: the target's cores, and a percentile of too few samples", () => {
  const reading = (cpu: number) => ({ targetCpu: new Array(9).fill(cpu) });
  match(
    seenOf({}, reading(0.99))[0]!,
    /95% or more of its cores in 9/,
  );
  deepEqual(seenOf({}, reading(0.5)), []);
  const few = [verdictOf("p99(latency) < 1s", 20, true, 300)];
  match(seenOf({ thresholds: few })[0]!, /p99.* is judged over 300 samples/);
  const thresholds = [
    verdictOf("p95(latency) < 1s", 20, true, 20),
    verdictOf("b: p99(latency) < 1s", 20, true, 1),
  ];
  const [finding] = findingsOf({
    ...NOTHING_MORE,
    meta: metaOf({ thresholds }),
  });
  deepEqual([finding?.seen, finding?.why], [
    "`p95(latency) < 1s` is judged over 20 samples. `b: p99(latency) < 1s` is judged over 1 sample.",
    "Chance decides what a p95 of fewer than 130 samples or a p99 of fewer than 662 samples is.",
  ]);
  const enough = [verdictOf("p95(latency) < 1s", 20, true, 300)];
  deepEqual(seenOf({ thresholds: enough }), []);
});
