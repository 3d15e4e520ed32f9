import assert from "node:assert/strict";
import fc from "fast-check";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { findKnee } from "../../../../lib/results/knee/knee.ts";
import type { AgentSample } from "../../../../lib/model/result/agent.ts";
import {
  latencyOf,
  machine,
  type MachineFacts,
  type MadeSecond,
  ramp,
  type SecondFacts,
} from "./knee_series.ts";

/** The knee of a made-up run that broke these thresholds as a whole. */
function kneeOf(
  seconds: readonly MadeSecond[],
  samples: readonly AgentSample[] = [],
  thresholds: readonly string[] = ["p95(latency) < 100ms"],
) {
  const breached = thresholds.map(parseThreshold);
  return findKnee({ breached, seconds, latencyOf, samples });
}

const SLOW_FROM_12: (t: number) => SecondFacts = (t) =>
  t >= 12 ? { latency: 300 } : {};
const THROTTLED_FROM_12: (t: number) => SecondFacts = (t) =>
  t >= 12 ? { throttled: (t + 1) * 4 } : {};
const from12 = (facts: MachineFacts) => (t: number) => t >= 12 ? facts : {};

const CLASSES: readonly [
  rule: string,
  run: (t: number) => SecondFacts,
  machine: ((t: number) => MachineFacts) | undefined,
  verdict: string,
  reason: RegExp,
][] = [
  [
    "CPU that climbs with the break is degraded",
    SLOW_FROM_12,
    from12({ cpu: 0.7 }),
    "degraded",
    /CPU climbed by 60 points$/,
  ],
  [
    "CPU at the end of its capacity is degraded without a climb",
    SLOW_FROM_12,
    () => ({ cpu: 0.85 }),
    "degraded",
    /CPU was at 85%$/,
  ],
  [
    "memory that climbs by exactly a fifth is degraded",
    SLOW_FROM_12,
    from12({ memory: 0.5 }),
    "degraded",
    /memory climbed by 20 points$/,
  ],
  [
    "load that climbs is degraded",
    SLOW_FROM_12,
    from12({ load: 0.9 }),
    "degraded",
    /load climbed by 80 points$/,
  ],
  [
    "a climb that is too small explains nothing",
    SLOW_FROM_12,
    from12({ cpu: 0.29, memory: 0.49, load: 0.29 }),
    "inconclusive",
    /neither/,
  ],
  [
    "throttles that rise on a flat machine are throttled",
    THROTTLED_FROM_12,
    from12({}),
    "throttled",
    /throttle_rate rose by 40 points while CPU, memory and load stayed flat$/,
  ],
  [
    "throttles together with CPU are mixed",
    THROTTLED_FROM_12,
    from12({ cpu: 0.6 }),
    "inconclusive",
    /mixed signals: CPU climbed by 50 points, and throttle_rate rose by 40 points$/,
  ],
  [
    "without an agent nobody knows",
    THROTTLED_FROM_12,
    undefined,
    "inconclusive",
    /no agent was attached$/,
  ],
];

for (const [rule, run, facts, verdict, reason] of CLASSES) {
  Deno.test(`findKnee: ${rule}`, () => {
    const knee = kneeOf(
      ramp(20, run),
      facts ? machine(20, facts) : [],
      ["p95(latency) < 100ms", "throttle_rate < 10%"],
    );
    assert.equal(knee?.class, verdict);
    assert.match(knee.detail, reason);
    assert.deepEqual([knee.vus, knee.at_ms], [13, 12_000]);
  });
}

Deno.test("findKnee: throttles count from a rise of five points on", () => {
  for (const [throttled, wanted] of [[5, "throttled"], [4, "inconclusive"]]) {
    const knee = kneeOf(
      ramp(20, (t) => ({
        completed: 100,
        ...(t >= 12 && { throttled: Number(throttled) }),
      })),
      machine(20, () => ({})),
      ["throttle_rate < 3%"],
    );
    assert.equal(knee?.class, wanted);
  }
});

Deno.test("findKnee names level, threshold, and the readings before and at the break, in one line", () => {
  const knee = kneeOf(
    ramp(20, SLOW_FROM_12),
    machine(20, from12({ cpu: 0.7, load: 0.2 })),
  );
  assert.deepEqual(knee, {
    class: "degraded",
    detail:
      "at 13 VUs, 12s into the run, p95(latency) < 100ms broke: 10ms before, 300ms at the break; " +
      "CPU 10% -> 70%, memory 30% -> 30%, load per core 0.10 -> 0.20, throttle_rate 0% -> 0%; " +
      "CPU climbed by 60 points",
    vus: 13,
    threshold: "p95(latency) < 100ms",
    at_ms: 12_000,
  });
});

Deno.test("findKnee: a single bad second is no knee, wherever it lies", () => {
  for (const bad of [0, 9, 19]) {
    const seconds = ramp(20, (t) => t === bad ? { latency: 900 } : {});
    assert.equal(kneeOf(seconds), null, `second ${bad}`);
  }
});

Deno.test("findKnee: two bad seconds that are not neighbours are no knee", () => {
  const seconds = ramp(20, (t) => t % 2 ? { latency: 900 } : {});
  assert.equal(kneeOf(seconds), null);
});

Deno.test("findKnee: two thresholds that break in turn are no knee", () => {
  const seconds = ramp(
    20,
    (t) => t === 8 ? { latency: 900 } : t === 9 ? { failed: 50 } : {},
  );
  const both = ["p95(latency) < 100ms", "error_rate < 1%"];
  assert.equal(kneeOf(seconds, [], both), null);
});

Deno.test("findKnee: the threshold that broke at the lower level is named", () => {
  const seconds = ramp(20, (t) => ({
    ...(t >= 10 && { latency: 900 }),
    ...(t >= 7 && { failed: t }),
  }));
  const both = ["p95(latency) < 100ms", "error_rate < 1%"];
  const knee = kneeOf(seconds, [], both);
  assert.deepEqual([knee?.threshold, knee?.vus], ["error_rate < 1%", 8]);
});

Deno.test("findKnee: a ramp that recovers has its knee at the first break, and says that it held again", () => {
  const seconds = ramp(20, (t) => t >= 6 && t < 9 ? { latency: 900 } : {});
  const knee = kneeOf(seconds, machine(20, () => ({})));
  assert.equal(knee?.vus, 7);
  assert.match(knee.detail, /; it held again from 10 VUs$/);
});

Deno.test("findKnee: few iterations a second make longer windows", () => {
  // Five a second: four seconds to a window, and the break needs two of them.
  const slow = (from: number) =>
    ramp(24, (t) => ({
      completed: 5,
      ...(t >= from && { latency: 500 }),
    }));
  assert.deepEqual(kneeOf(slow(8))?.at_ms, 8_000);
  assert.equal(kneeOf(slow(20)), null);
});

Deno.test("findKnee: a run of a single window that broke has its knee there", () => {
  const knee = kneeOf([second0({ completed: 12, latency: 400 })]);
  assert.equal(knee?.class, "inconclusive");
  assert.match(
    knee.detail,
    /^at 1 VU, at the start of the run, p95\(latency\) < 100ms broke: 400ms at the break; throttle_rate 0%; no agent/,
  );
});

Deno.test("findKnee: a run that was never well has nothing to compare with, but full CPU says enough", () => {
  const slow = ramp(5, () => ({ latency: 400 }));
  const idle = kneeOf(slow, machine(5, () => ({ cpu: 0.2 })));
  assert.deepEqual([idle?.class, idle?.vus], ["inconclusive", 1]);
  assert.match(
    idle!.detail,
    /it was never well, so there is nothing to compare/,
  );
  const full = kneeOf(slow, machine(5, () => ({ cpu: 0.95 })));
  assert.equal(full?.class, "degraded");
});

Deno.test("findKnee: a run in which nothing ended has none", () => {
  assert.equal(kneeOf([]), null);
  assert.equal(kneeOf(ramp(5, () => ({ completed: 0, started: 3 }))), null);
});

Deno.test("findKnee: a target that stops answering breaks at the level where it stopped", () => {
  // At 15 users nothing ends any more, until every request has timed out.
  const seconds = [
    ...ramp(14),
    ...Array.from({ length: 30 }, (_, i) => ({
      ...second0({ completed: 0, started: i < 4 ? 1 : 0, vus: 15 + i }),
      t: 14 + i,
    })),
    { ...second0({ completed: 15, started: 0, latency: 30_000 }), t: 44 },
  ];
  const knee = kneeOf(seconds, machine(45, () => ({})));
  assert.deepEqual([knee?.vus, knee?.at_ms], [15, 14_000]);
});

Deno.test("findKnee: an agent that died before the break explains nothing", () => {
  const samples = machine(20, from12({ cpu: 0.9 })).slice(0, 8);
  const knee = kneeOf(ramp(20, SLOW_FROM_12), samples);
  assert.equal(knee?.class, "inconclusive");
  assert.match(knee.detail, /CPU 10% -> not read, memory/);
  assert.match(knee.detail, /the agent gave no CPU reading/);
});

Deno.test("findKnee: throttles are not called throttled while the CPU is unknown", () => {
  const samples = machine(20, () => ({})).map((each) => ({
    ...each,
    cpu_seconds_total: null,
  }));
  const knee = kneeOf(ramp(20, THROTTLED_FROM_12), samples, [
    "throttle_rate < 10%",
  ]);
  assert.equal(knee?.class, "inconclusive");
});

Deno.test("findKnee: what happened long after the break explains it as little", () => {
  const late = (t: number) => t >= 18 ? { cpu: 1 } : {};
  const knee = kneeOf(ramp(40, SLOW_FROM_12), machine(40, late));
  assert.match(knee!.detail, /neither/);
});

Deno.test("findKnee: noise on both sides moves neither level nor class", () => {
  const noise = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 40,
    maxLength: 40,
  });
  fc.assert(fc.property(noise, fc.integer({ min: 4, max: 15 }), (drawn, at) => {
    const seconds = ramp(20, (t) => ({
      latency: t >= at ? 120 + 300 * drawn[t]! : 5 + 90 * drawn[t]!,
    }));
    const samples = machine(20, (t) => ({
      cpu: (t >= at ? 0.7 : 0.2) + 0.1 * drawn[20 + t]!,
    }));
    const knee = kneeOf(seconds, samples);
    assert.deepEqual([knee?.vus, knee?.class], [at + 1, "degraded"]);
  }));
});

Deno.test("findKnee never fails on any series, and its detail is one line", () => {
  const facts = fc.record({
    vus: fc.nat(50),
    completed: fc.nat(40),
    started: fc.nat(40),
    failed: fc.nat(40),
    throttled: fc.nat(40),
    latency: fc.nat(500),
  });
  const reading = fc.record({
    cpu: fc.double({ min: -1, max: 2, noNaN: true }),
    memory: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(fc.property(
    fc.array(facts, { maxLength: 30 }),
    fc.array(reading, { maxLength: 30 }),
    (series, readings) => {
      const knee = kneeOf(
        ramp(series.length, (t) => series[t]!),
        readings.length === 0
          ? []
          : machine(readings.length - 1, (t) => readings[t]!),
        ["p95(latency) < 100ms", "error_rate < 10%", "throttle_rate <= 5%"],
      );
      assert.doesNotMatch(knee?.detail ?? "", /\n|undefined|NaN|Infinity/);
    },
  ));
});

function second0(facts: SecondFacts): MadeSecond {
  return ramp(1, () => facts)[0]!;
}
