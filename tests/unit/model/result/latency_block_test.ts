import assert from "node:assert/strict";
import int32 from "hdr-histogram-js/dist/Int32Histogram.js";
import fc from "fast-check";
import {
  blockOf,
  bucketMiddle,
  bucketOf,
  BUCKETS,
  bucketStart,
  joinBlocks,
} from "../../../../lib/model/result/latency.ts";

const us = fc.integer({ min: 0, max: 3_600_000_000 });

Deno.test("buckets are those of an HdrHistogram of two digits", () => {
  const hdr = new int32.default(1, 2, 2);
  hdr.autoResize = true;
  hdr.recordValue(3_600_000_000);
  fc.assert(fc.property(us, (value) => {
    const bucket = bucketOf(value);
    assert.ok(bucket < BUCKETS);
    assert.equal(bucketStart(bucket), hdr.valueFromIndex(bucket));
    assert.ok(bucketStart(bucket) <= value && value < bucketStart(bucket + 1));
    assert.ok(Math.abs(bucketMiddle(bucket) - value) <= value * 0.004);
  }));
});

Deno.test("joinBlocks adds up what the blocks hold", () => {
  const block = (...values: number[]) => {
    const counts = new Uint32Array(BUCKETS);
    for (const value of values) counts[bucketOf(value)]!++;
    return blockOf(counts);
  };
  assert.deepEqual(
    joinBlocks([block(10, 2_000), block(), block(10, 99_000)]),
    block(10, 10, 2_000, 99_000),
  );
  assert.deepEqual(joinBlocks([]), block());
});
