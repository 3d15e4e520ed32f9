import assert from "node:assert/strict";
import {
  actualText,
  samplesText,
} from "../../../../lib/results/report/figures.ts";
import fc from "fast-check";
import {
  formatThreshold,
  parseThreshold,
} from "../../../../lib/language/expressions/threshold.ts";
import {
  effectiveThresholds,
  judge,
} from "../../../../lib/results/report/thresholds.ts";
import { iterationsOf, stepTotalsOf, totalsOf } from "./totals.ts";

/** A load run of these steps. */
const load = (...ids: string[]) => ({
  mode: "load" as const,
  steps: ids.map((id) => ({ id })),
});

const HUNDRED = Array.from({ length: 100 }, (_, i) => i + 1);
const RUN = totalsOf(HUNDRED, {
  iterations: iterationsOf(200, { failed: 2, throttled: 10 }),
});

const TABLE = [
  ["a percentile below its limit is held", "p95(latency) < 96ms", 95, true],
  [
    "a percentile at its limit is not below it",
    "p95(latency) < 95ms",
    95,
    false,
  ],
  ["a percentile at its limit is at most it", "p95(latency) <= 95ms", 95, true],
  ["p100 is the largest", "p100(latency) <= 100ms", 100, true],
  ["p1 is the smallest of a hundred", "p1(latency) >= 1ms", 1, true],
  ["the average", "avg(latency) > 50.5ms", 50.5, false],
  ["the minimum", "min(latency) < 1ms", 1, false],
  ["the maximum", "max(latency) <= 0.1s", 100, true],
  ["the error rate is by iterations", "error_rate < 1%", 0.01, false],
  ["the error rate as a number", "error_rate <= 0.01", 0.01, true],
  ["the throttle rate", "throttle_rate >= 5%", 0.05, true],
] as const;

for (const [rule, text, actual, pass] of TABLE) {
  Deno.test(`judge: ${rule}`, () => {
    const [verdict] = judge([parseThreshold(text)], RUN, load());
    assert.deepEqual([verdict!.actual, verdict!.pass], [actual, pass]);
    assert.equal(verdict!.samples, text.includes("latency") ? 100 : 200);
  });
}

Deno.test("judge: bytes a second are those of responses over the whole run, and say their unit", () => {
  const [step] = RUN.steps;
  const totals = { ...RUN, steps: [{ ...step!, bytes_received: 3_000_000 }] };
  const judged = (text: string, durationMs = 2_000) =>
    judge([parseThreshold(text)], totals, load("a"), durationMs)[0]!;
  const held = judged("bytes_per_second >= 1.5MB");
  assert.deepEqual([held.actual, held.pass, held.samples], [1.5e6, true, 2]);
  assert.equal(actualText(held), "1.5 MB/s");
  assert.equal(samplesText(held), "2 seconds");
  assert.equal(judged("a: bytes_per_second > 1500kB").pass, false);
  assert.equal(judged("bytes_per_second > 0", 0).actual, null);
  const secondsOf = (ms: number) => judged("bytes_per_second > 0", ms).samples;
  // A run ends some milliseconds after its last second.
  assert.deepEqual([20, 7_004, 7_600].map(secondsOf), [1, 7, 8]);
});

Deno.test("judge: a rate of a flow of a mix rests on iterations, one of a step on executions", () => {
  const iterations = { completed: 3, passed: 2, failed: 1, throttled: 0 };
  const { latencies: { response: latency } } = RUN;
  const flow = { name: "buyers", weight: 1, iterations, latency };
  const totals = {
    ...RUN,
    flows: [{ ...flow, durations: latency, bytes: 0 }],
  };
  const judged = (text: string) =>
    judge([parseThreshold(text)], totals, load("buyers/pay"))[0]!;
  const text = samplesText(judged("buyers: error_rate < 1%"));
  assert.equal(text, "3 iterations");
  assert.match(samplesText(judged("buyers/pay: error_rate < 1%")), /execution/);
});

Deno.test("judge: a threshold without samples is not held, and says so", () => {
  for (
    const text of [
      "p95(latency) < 1s",
      "error_rate < 100%",
      "throttle_rate >= 0",
    ]
  ) {
    const [verdict] = judge([parseThreshold(text)], totalsOf(), load());
    assert.deepEqual([verdict!.actual, verdict!.pass, verdict!.samples], [
      null,
      false,
      0,
    ]);
  }
});

Deno.test("judge compares whole microseconds, so that 0.3 ms is at most 300us", () => {
  const [verdict] = judge(
    [parseThreshold("max(latency) <= 300us")],
    totalsOf([0.1 + 0.2]),
    load(),
  );
  assert.equal(verdict!.pass, true);
});

Deno.test("judge reads response time, which counts from when a request was due", () => {
  const totals = totalsOf([1]);
  const slow = totalsOf([500]).latencies.response;
  const latencies = { ...totals.latencies, response: slow };
  const [verdict] = judge(
    [parseThreshold("max(latency) < 100ms")],
    { ...totals, latencies },
    load(),
  );
  assert.deepEqual([verdict!.actual, verdict!.pass], [500, false]);
});

Deno.test("effectiveThresholds implies error_rate <= 0 in integration and system modes", () => {
  const texts = (
    mode: "integration" | "system" | "load",
    ...declared: string[]
  ) =>
    effectiveThresholds(mode, declared.map((text) => parseThreshold(text))).map(
      formatThreshold,
    );
  assert.deepEqual(texts("integration"), ["error_rate <= 0"]);
  assert.deepEqual(texts("system", "p50(latency) < 1s"), [
    "p50(latency) < 1s",
    "error_rate <= 0",
  ]);
  assert.deepEqual(texts("system", "error_rate < 50%"), ["error_rate < 50%"]);
  assert.deepEqual(texts("load"), []);
});

Deno.test("formatThreshold is read back as the same threshold", () => {
  const op = fc.constantFrom(
    "<" as const,
    "<=" as const,
    ">" as const,
    ">=" as const,
  );
  const latency = fc.record({
    metric: fc.constant("latency" as const),
    stat: fc.constantFrom("avg", "min", "max", "p1", "p99", "p100"),
    op,
    value_us: fc.nat(10_000_000_000),
  });
  const rate = fc.record({
    metric: fc.constantFrom("error_rate" as const, "throttle_rate" as const),
    op,
    value: fc.nat(100_000).map((n) => n / 100_000),
  });
  fc.assert(fc.property(fc.oneof(latency, rate), (threshold) => {
    assert.deepEqual(parseThreshold(formatThreshold(threshold)), {
      ...threshold,
    });
  }));
});

Deno.test("judge reads the figures of the step that a threshold is of", () => {
  const totals = totalsOf([500, 500], {
    steps: [
      { ...stepTotalsOf([10, 20]), failed: 1 },
      stepTotalsOf([900]),
    ],
  });
  const verdicts = judge(
    [
      parseThreshold("login: max(latency) < 100ms"),
      parseThreshold("cart: max(latency) < 100ms"),
      parseThreshold("login: error_rate < 50%"),
    ],
    totals,
    load("login", "cart"),
  );
  assert.deepEqual(verdicts.map(({ actual, pass }) => [actual, pass]), [
    [20, true],
    [900, false],
    [1 / 3, true],
  ]);
  assert.equal(verdicts[0]!.step, "login");
});

Deno.test("judge counts a throttle of a step as an error where it is one for its iteration", () => {
  const totals = totalsOf([], {
    steps: [stepTotalsOf([1, 1], { failed: 1, throttled: 1 })],
  });
  const actual = (mode: "integration" | "load", as_error?: boolean) => {
    const throttle = as_error === undefined ? {} : { as_error };
    const steps = [{ id: "login", throttle }];
    return judge(
      [parseThreshold("login: error_rate < 1%")],
      totals,
      { mode, steps },
    )[0]!.actual;
  };
  assert.equal(actual("load"), 1 / 4);
  assert.equal(actual("load", true), 2 / 4);
  assert.equal(actual("integration"), 2 / 4);
  assert.equal(actual("integration", false), 1 / 4);
});

Deno.test("actualText has as many digits as it takes to differ from the limit", () => {
  const table: [text: string, actual: number, shown: string][] = [
    ["error_rate < 1%", 0.0123456, "1.23%"],
    ["error_rate < 1.23%", 0.0123456, "1.235%"],
    ["error_rate > 0.01%", 0.000099, "0.0099%"],
    ["error_rate > 0.01%", 0.00004, "0.004%"],
    ["error_rate < 5%", 0.00004, "<0.01%"],
    ["error_rate >= 100%", 0.99996, "99.996%"],
    ["error_rate < 1%", 0.01, "1%"],
    ["p95(latency) < 10.4ms", 10.43, "10.43ms"],
    ["p95(latency) > 1s", 999.7, "999.7ms"],
    ["p95(latency) < 1m", 60_200, "60.2s"],
    ["p95(latency) < 300ms", 412.345, "412ms"],
    ["bytes_per_second > 1.5MB", 1_499_000, "1.499 MB/s"],
  ];
  for (const [text, actual, shown] of table) {
    const [verdict] = judge([parseThreshold(text)], RUN, load());
    assert.equal(actualText({ ...verdict!, actual }), shown, text);
  }
});
