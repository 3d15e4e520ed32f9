import assert from "node:assert/strict";
import fc from "fast-check";
import { FineBuckets } from "../../../../lib/results/histograms/fine_buckets.ts";
import {
  mergeSeconds,
  Seconds,
  seriesOf,
} from "../../../../lib/results/record/series.ts";

Deno.test("Seconds counts what happens in its second", () => {
  const seconds = new Seconds(1_000);
  seconds.started(1_000);
  seconds.attempt(0, 1_400, "passed", 20, 10, 30);
  seconds.attempt(0, 1_999, "throttled", 1, 5, 5);
  seconds.ended({
    endedAt: 2_000,
    interrupted: false,
    failed: true,
    throttled: false,
  });
  const [first, second] = seriesOf(seconds.data()).points;
  assert.deepEqual(
    [
      first!.started,
      first!.passed,
      first!.throttled,
      first!.bytes_sent,
      first!.bytes_received,
    ],
    [1, 1, 1, 15, 35],
  );
  assert.deepEqual([second!.t, second!.completed, second!.iterations_failed], [
    1,
    1,
    1,
  ]);
});

Deno.test("Seconds counts the attempts of each step by outcome; steps without any take no room", () => {
  const seconds = new Seconds(0, 1_000);
  seconds.attempt(0, 100, "passed", 1, 0, 0);
  seconds.attempt(999, 200, "failed", 1, 0, 0);
  seconds.attempt(999, 300, "throttled", 1, 0, 0);
  seconds.attempt(999, 400, "throttled", 1, 0, 0);
  seconds.started(1_100);
  seconds.attempt(7, 2_100, "passed", 1, 0, 0);
  assert.deepEqual(seriesOf(seconds.data()).points.map(({ steps }) => steps), [
    [[0, 1, 0, 0], [999, 0, 2, 1]],
    [],
    [[7, 1, 0, 0]],
  ]);
});

Deno.test("seriesOf: a second without a latency has none, and not 0", () => {
  const seconds = new Seconds(0);
  seconds.started(10);
  seconds.attempt(0, 20, "throttled", 1, 10, 10);
  const { p50, p95, p99, max } = seriesOf(seconds.data()).points[0]!;
  assert.deepEqual([p50, p95, p99, max], [null, null, null, null]);
});

Deno.test("Seconds leaves throttled latencies out, so that they cannot flatter p50", () => {
  const seconds = new Seconds(0);
  seconds.attempt(0, 1, "passed", 100, 0, 0);
  for (let i = 0; i < 50; i++) seconds.attempt(0, 2, "throttled", 1, 0, 0);
  assert.ok(seriesOf(seconds.data()).points[0]!.p50! > 97);
});

Deno.test("Seconds has a point for a second without events, with the VUs still at work", () => {
  const seconds = new Seconds(0);
  seconds.started(10);
  seconds.started(20);
  seconds.ended({
    endedAt: 3_500,
    interrupted: false,
    failed: false,
    throttled: false,
  });
  assert.deepEqual(seconds.data().map(({ t, vus }) => [t, vus]), [
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 2],
  ]);
});

Deno.test("Seconds' last whole second is the one before now, also when nothing happened in it", () => {
  const seconds = new Seconds(0);
  seconds.started(10);
  seconds.attempt(0, 20, "passed", 1, 0, 0);
  assert.equal(seconds.last(999), undefined);
  const record = (at: number) => {
    const { t, vus, passed } = seconds.last(at)!;
    return [t, vus, passed];
  };
  assert.deepEqual(record(1_000), [0, 1, 1]);
  assert.deepEqual(
    record(2_500),
    [1, 1, 0],
    "the burst is over, the VU is not",
  );
});

Deno.test("Seconds counts an event of a closed second in the open one", () => {
  const seconds = new Seconds(0);
  seconds.started(1_500);
  seconds.attempt(0, 900, "failed", 1, 0, 0);
  assert.deepEqual(seconds.data().map(({ failed }) => failed), [0, 1]);
});

Deno.test("Seconds does not count an interrupted iteration as completed", () => {
  const seconds = new Seconds(0);
  seconds.started(1);
  seconds.ended({
    endedAt: 2,
    interrupted: true,
    failed: true,
    throttled: true,
  });
  const [point] = seconds.data();
  assert.deepEqual(
    [point!.started, point!.completed, point!.iterations_failed],
    [1, 0, 0],
  );
});

Deno.test("FineBuckets gives quantiles within 2.3 % from 10 us to an hour", () => {
  const latency = fc.double({ min: 0.01, max: 3_600_000, noNaN: true });
  fc.assert(fc.property(
    fc.array(latency, { minLength: 1, maxLength: 50 }),
    fc.integer({ min: 1, max: 100 }),
    (values, p) => {
      const fine = new FineBuckets();
      for (const value of values) fine.record(value);
      const expected = values.toSorted((a, b) =>
        a - b
      )[Math.ceil(p / 100 * values.length) - 1]!;
      assert.ok(Math.abs(fine.percentile(p) / expected - 1) < 0.023);
    },
  ));
});

Deno.test("FineBuckets.coarse puts a latency where the contract says", () => {
  for (
    const [ms, bucket] of [[0.001, 0], [0.01, 0], [0.02, 4], [1, 26], [
      1_000,
      66,
    ]] as const
  ) {
    const fine = new FineBuckets();
    fine.record(ms);
    assert.deepEqual(fine.coarse(), [[bucket, 1]], `${ms} ms`);
    if (ms <= 0.01) continue;
    assert.ok(
      ms >= 2 ** (bucket / 4) * 0.01 && ms < 2 ** ((bucket + 1) / 4) * 0.01,
    );
  }
});

Deno.test("mergeSeconds of two recorders is what one would have counted", () => {
  const event = fc.tuple(
    fc.nat(3_000),
    fc.boolean(),
    fc.nat(5_000),
    fc.nat(3),
    fc.boolean(),
  );
  fc.assert(fc.property(fc.array(event, { maxLength: 40 }), (events) => {
    const sorted = events.toSorted((a, b) => a[0] - b[0]);
    const whole = new Seconds(0, 4);
    const halves = [new Seconds(0, 4), new Seconds(0, 4)] as const;
    for (const [at, left, latency, step, failed] of sorted) {
      for (const each of [whole, halves[left ? 0 : 1]]) {
        each.attempt(step, at, failed ? "failed" : "passed", latency, 1, 2);
      }
    }
    const merged = mergeSeconds(halves.map((each) => each.data()));
    assert.deepEqual(seriesOf(merged), seriesOf(whole.data()));
  }));
});
