import assert from "node:assert/strict";
import { Histogram } from "../../../../lib/results/histograms/histogram.ts";
import { LatencyStretches } from "../../../../lib/results/histograms/latency_stretches.ts";
import { decodeBlocks } from "../../../../lib/results/histograms/stretches_text.ts";
import { latencyIntervals } from "../../../../lib/results/statistics/percentile_bounds.ts";

/** Latencies from 1 to 100 ms, evenly, 50 a second. */
function evenly(seconds: number) {
  const stretches = new LatencyStretches(0);
  const histogram = new Histogram();
  for (let i = 0; i < seconds * 50; i++) {
    const ms = i * 37 % 100 + 1;
    stretches.record(i * 20, ms);
    histogram.record(ms);
  }
  return latencyIntervals({
    latency: histogram.distribution(),
    blocks: decodeBlocks(stretches.data().blocks),
  });
}

Deno.test("latencyIntervals are values around the percentiles", () => {
  const { samples, p50, p95, p99 } = evenly(60);
  assert.equal(samples, 3_000);
  assert.ok(p50!.low > 45 && p50!.low < 50 && p50!.high > 50 && p50!.high < 55);
  assert.ok(p95!.low > 93 && p95!.high < 97);
  assert.ok(p99!.high > p99!.low);
});

Deno.test("latencyIntervals are unknown of too few samples, and of a few seconds", () => {
  const { p50, p99 } = evenly(10);
  assert.ok(p50);
  assert.equal(p99, null);
  assert.equal(evenly(4).p50, null);
  const none = latencyIntervals({
    latency: new Histogram().distribution(),
    blocks: [],
  });
  assert.deepEqual(none, {
    samples: 0,
    p50: null,
    p90: null,
    p95: null,
    p99: null,
  });
});

Deno.test("latencyIntervals have p99.9 from 6,636 samples on", () => {
  assert.equal("p99.9" in evenly(132), false);
  const far = evenly(300)["p99.9"];
  assert.ok(far === null || far!.low > 99);
  assert.ok("p99.9" in evenly(133));
});
