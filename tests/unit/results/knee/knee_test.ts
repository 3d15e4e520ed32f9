import assert from "node:assert/strict";
import fc from "fast-check";
import {
  from12,
  kneeOf,
  machine,
  type MadeSecond,
  ramp,
  type SecondFacts,
  SLOW_FROM_12,
} from "./knee_series.ts";

Deno.test("findKnee names level, threshold, and the readings before and at the break, in one line", () => {
  const knee = kneeOf(
    ramp(20, SLOW_FROM_12),
    machine(20, from12({ cpu: 0.7, load: 0.2 })),
  );
  assert.deepEqual(knee, {
    class: "degraded",
    detail:
      "at 13 VUs, 12s into the run, p95(latency) < 100ms broke: 10ms before, 300ms at the break, 300ms at 17 VUs; " +
      "CPU 10% -> 10% -> 70% (1.4 of 2 cores), memory 30% -> 30% -> 30%, " +
      "load per core 0.10 -> 0.10 -> 0.20, throttle_rate 0% -> 0% -> 0%; " +
      "CPU climbed by 60 points",
    vus: 13,
    threshold: "p95(latency) < 100ms",
    at_ms: 12_000,
  });
});

const NO_LEVEL: readonly [rule: string, (t: number) => SecondFacts, RegExp][] =
  [
    [
      "a single bad second",
      (t) => t === 9 ? { latency: 900 } : {},
      /^no level: .* never in two windows running; first at 10 VUs, 9s into the run$/,
    ],
    [
      "two bad seconds that are not neighbours",
      (t) => t === 9 || t === 11 ? { latency: 900 } : {},
      /never in two windows running; first at 10 VUs/,
    ],
    [
      "two thresholds that break in turn",
      (t) => t === 8 ? { latency: 900 } : t === 9 ? { failed: 50 } : {},
      /^no level: p95\(latency\) < 100ms, error_rate < 1% broke, but never/,
    ],
    [
      "what no window shows",
      () => ({}),
      /broke over the whole run, but in no window by itself$/,
    ],
    [
      "nothing that ended",
      () => ({ completed: 0, started: 3 }),
      /broke, but no iteration was completed$/,
    ],
  ];

for (const [what, facts, says] of NO_LEVEL) {
  Deno.test(`findKnee: ${what} is a finding without a level`, () => {
    const both = ["p95(latency) < 100ms", "error_rate < 1%"];
    const knee = kneeOf(ramp(20, facts), machine(20, () => ({})), both);
    assert.deepEqual(
      [knee.class, knee.vus, knee.at_ms, knee.threshold],
      ["inconclusive", null, null, both[0]],
    );
    assert.match(knee.detail, says);
  });
}

Deno.test("findKnee: which scrapes are lost changes neither class nor readings", () => {
  const busy = machine(
    20,
    (t) => ({ cpu: Math.min(0.95, 0.1 + t * 0.06), memory: 0.3 }),
  );
  for (const lost of [0, 1, 2]) {
    const read = busy.filter((_, nth) => nth % 3 !== lost);
    const knee = kneeOf(ramp(20, SLOW_FROM_12), read);
    assert.equal(knee.class, "degraded", knee.detail);
    assert.doesNotMatch(knee.detail, /not read/);
  }
});

Deno.test("findKnee: the figure at the break is of the level that is named, and then what it grew to", () => {
  const growing = ramp(20, (t) => t >= 12 ? { latency: 120 + t * 10 } : {});
  assert.match(
    kneeOf(growing).detail,
    /^at 13 VUs, .* broke: 10ms before, 240ms at the break, 280ms at 17 VUs; /,
  );
});

Deno.test("findKnee: a level of thousands of users is written as everywhere else", () => {
  const seconds = ramp(20, (t) => ({
    vus: 1_000 * (t + 1),
    completed: 20,
    latency: t >= 12 ? 300 : 10,
  }));
  assert.match(kneeOf(seconds).detail, /^at 13,000 VUs, .* at 17,000 VUs; /);
});

Deno.test("findKnee: the threshold that broke at the lower level is named", () => {
  const seconds = ramp(20, (t) => ({
    ...(t >= 10 && { latency: 900 }),
    ...(t >= 7 && { failed: t }),
  }));
  const both = ["p95(latency) < 100ms", "error_rate < 1%"];
  const knee = kneeOf(seconds, [], both);
  assert.deepEqual([knee.threshold, knee.vus], ["error_rate < 1%", 8]);
});

Deno.test("findKnee: a ramp that recovers has its knee at the first break, and says that it held again", () => {
  const seconds = ramp(20, (t) => t >= 6 && t < 9 ? { latency: 900 } : {});
  const knee = kneeOf(seconds, machine(20, () => ({})));
  assert.equal(knee.vus, 7);
  assert.match(knee.detail, /; it held again from 10 VUs$/);
});

Deno.test("findKnee: few iterations a second make longer windows", () => {
  // Five a second: four seconds to a window, and the break needs two of them.
  const slow = (from: number) =>
    ramp(24, (t) => ({
      completed: 5,
      ...(t >= from && { latency: 500 }),
    }));
  assert.equal(kneeOf(slow(8)).at_ms, 8_000);
  assert.equal(kneeOf(slow(20)).at_ms, null);
});

Deno.test("findKnee: a run of a single window that broke has its knee there", () => {
  const knee = kneeOf([second0({ completed: 12, latency: 400 })]);
  assert.equal(knee.class, "inconclusive");
  assert.match(
    knee.detail,
    /^at 1 VU, at the start of the run, p95\(latency\) < 100ms broke: 400ms at the break; throttle_rate 0%; no agent/,
  );
});

Deno.test("findKnee: a run of a single window that began well has no level", () => {
  const slow = ramp(6, (t) => ({ completed: 3, latency: t < 2 ? 10 : 400 }));
  const knee = kneeOf(slow);
  assert.deepEqual([knee.vus, knee.at_ms], [null, null]);
  assert.equal(
    knee.detail,
    "no level: p95(latency) < 100ms broke, but 18 iterations do not show at which",
  );
});

Deno.test("findKnee: a run without a second has a finding all the same", () => {
  assert.match(kneeOf([]).detail, /no iteration was completed/);
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
  assert.deepEqual([knee.vus, knee.at_ms], [15, 14_000]);
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
    assert.deepEqual([knee.vus, knee.class], [at + 1, "degraded"]);
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
      assert.doesNotMatch(knee.detail, /\n|undefined|NaN|Infinity/);
    },
  ));
});

function second0(facts: SecondFacts): MadeSecond {
  return ramp(1, () => facts)[0]!;
}
