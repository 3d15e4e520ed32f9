import assert from "node:assert/strict";
import fc from "fast-check";
import { ExpressionError } from "../../../../lib/base/errors/bench_error.ts";
import {
  formatThreshold,
  parseThreshold,
  THRESHOLD_PATTERN,
} from "../../../../lib/language/expressions/threshold.ts";

Deno.test("parseThreshold reads rates and latencies, and formatThreshold has one spelling", () => {
  const table = [
    ["error_rate < 1%", "error_rate < 1%"],
    ["error_rate<0.01", "error_rate < 1%"],
    ["throttle_rate <= .5", "throttle_rate <= 50%"],
    ["error_rate <= 0", "error_rate <= 0"],
    ["error_rate < 1.1%", "error_rate < 1.1%"],
    ["p95(latency) < 300ms", "p95(latency) < 300ms"],
    ["p95(latency)<0.3s", "p95(latency) < 300ms"],
    ["avg(latency) >= 1500us", "avg(latency) >= 1.5ms"],
    ["p95(latency) < 10.40ms", "p95(latency) < 10.4ms"],
    ["p95(latency) < 90s", "p95(latency) < 90s"],
    [" max(latency) > 2m ", "max(latency) > 2m"],
    ["p1(latency) > 0us", "p1(latency) > 0us"],
    ["p100(latency) < 1s", "p100(latency) < 1s"],
  ] as const;
  for (const [text, spelling] of table) {
    const threshold = parseThreshold(text);
    assert.equal(formatThreshold(threshold), spelling, text);
    assert.deepEqual(parseThreshold(spelling), threshold, text);
  }
  assert.deepEqual(parseThreshold("error_rate < 1.1%"), {
    metric: "error_rate",
    op: "<",
    value: 0.011,
  });
});

Deno.test("parseThreshold reads bytes a second in every unit, and formatThreshold has one spelling", () => {
  const table = [
    ["bytes_per_second > 500000", 500_000, "500kB"],
    ["bytes_per_second >= 0.5 MB/s", 500_000, "500kB"],
    ["bytes_per_second<1.5GB", 1.5e9, "1.5GB"],
    ["bytes_per_second <= 1.5MiB", 1_572_864, "1.5MiB"],
    ["bytes_per_second > 0", 0, "0B"],
  ] as const;
  for (const [text, value, spelled] of table) {
    const threshold = parseThreshold(text);
    assert.equal("value" in threshold && threshold.value, value, text);
    const one = formatThreshold(threshold);
    assert.ok(one.endsWith(` ${spelled}`), one);
    assert.deepEqual(parseThreshold(one), threshold);
  }
  for (
    const text of [
      "bytes_per_second > 5%",
      "bytes_per_second > 5s",
      "bytes_per_second > -1",
    ]
  ) {
    assert.throws(() => parseThreshold(text), /bytes a second/, text);
  }
});

Deno.test("parseThreshold refuses with the location", () => {
  const table: [text: string, code: string, offset: number][] = [
    ["p0(latency) < 1s", "threshold-metric", 0],
    ["p101(latency) < 1s", "threshold-metric", 0],
    ["p99.9(latency) < 1s", "threshold-metric", 0],
    ["eror_rate < 1%", "threshold-metric", 0],
    ["latency < 1s", "threshold-metric", 0],
    ["error_rate == 1%", "threshold-operator", 11],
    ["error_rate 1%", "threshold-operator", 10],
    ["error_rate <", "threshold-value", 11],
    ["error_rate < 2", "threshold-value", 13],
    ["error_rate < 101%", "threshold-value", 13],
    ["error_rate < -1%", "threshold-value", 13],
    ["error_rate < 5ms", "threshold-value", 13],
    ["avg(latency) < 5", "bad-duration", 15],
    ["avg(latency) < 1%", "bad-duration", 15],
    ["avg(latency) < -1s", "bad-duration", 15],
  ];
  for (const [text, code, offset] of table) {
    assert.throws(() => parseThreshold(text), (error) => {
      assert.ok(error instanceof ExpressionError, text);
      assert.deepEqual([error.code, error.offset], [code, offset], text);
      return true;
    });
  }
});

Deno.test("formatThreshold loses nothing of any latency limit", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 0, max: 2 ** 50 }),
    (percentile, value_us) => {
      const threshold = {
        metric: "latency" as const,
        stat: `p${percentile}`,
        op: "<" as const,
        value_us,
      };
      assert.deepEqual(parseThreshold(formatThreshold(threshold)), threshold);
    },
  ));
});

Deno.test("parseThreshold reads the step that a threshold is of", () => {
  const threshold = parseThreshold(" log-in :  p95(latency) < 0.2s");
  assert.deepEqual(threshold, {
    metric: "latency",
    stat: "p95",
    op: "<",
    value_us: 200_000,
    step: "log-in",
  });
  assert.equal(formatThreshold(threshold), "log-in: p95(latency) < 200ms");
  assert.deepEqual(parseThreshold("log-in:p95(latency)<200ms"), threshold);
  for (const each of ["log-in: p95(latency) < 200ms", "a:error_rate<1%"]) {
    assert.match(each, new RegExp(THRESHOLD_PATTERN));
  }
  for (const step of ["2fa", "a b", "a: b", 'é"q', "p95(latency)", "a/b/c"]) {
    const text = `${step}: error_rate < 5%`;
    assert.equal(parseThreshold(text).step, step);
    assert.equal(formatThreshold(parseThreshold(text)), text);
    assert.match(text, new RegExp(THRESHOLD_PATTERN));
  }
  assert.throws(
    () => parseThreshold("login: p95(latency) == 1s"),
    (error: ExpressionError) => error.offset === 20,
  );
});
