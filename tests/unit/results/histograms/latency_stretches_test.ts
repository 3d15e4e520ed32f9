import assert from "node:assert/strict";
import {
  blockTotal,
  bucketMiddle,
} from "../../../../lib/model/result/latency.ts";
import {
  LatencyStretches,
  mergeStretches,
  type StretchesData,
  wholeStretches,
} from "../../../../lib/results/histograms/latency_stretches.ts";
import {
  decodeBlocks,
  encodeBlocks,
} from "../../../../lib/results/histograms/stretches_text.ts";

const START = 500;

/** One latency at each of these seconds. */
function recorded(...seconds: number[]): StretchesData {
  const stretches = new LatencyStretches(START);
  for (const t of seconds) stretches.record(START + t * 1_000, t + 1);
  return stretches.data();
}

const totals = ({ blocks }: StretchesData) => blocks.map(blockTotal);

Deno.test("LatencyStretches count by the second, seconds without a latency as well", () => {
  assert.deepEqual(totals(recorded(0, 0.9, 1, 3.2)), [2, 1, 0, 1]);
  const { buckets } = recorded(0.25).blocks[0]!;
  assert.ok(Math.abs(bucketMiddle(buckets[0]!) - 1_250) < 6);
});

Deno.test("LatencyStretches of a long run are longer, and never more than 512", () => {
  const seconds = Array.from({ length: 3_000 }, (_, t) => t);
  const { ms, blocks } = recorded(...seconds);
  assert.equal(ms, 8_000);
  assert.deepEqual(blocks.map(blockTotal), Array(375).fill(8));
});

Deno.test("LatencyStretches skip an hour of silence", () => {
  const { ms, blocks } = recorded(0, 3_600);
  assert.deepEqual([ms, blocks.length], [8_000, 451]);
  assert.deepEqual([blockTotal(blocks[0]!), blockTotal(blocks[450]!)], [1, 1]);
});

Deno.test("LatencyStretches take any number for a latency", () => {
  const stretches = new LatencyStretches(0);
  for (const ms of [-1, 0, NaN, 1e-9, 1e12, Infinity]) stretches.record(0, ms);
  assert.deepEqual(totals(stretches.data()), [6]);
});

Deno.test("mergeStretches of two threads is what one would have recorded", () => {
  const seconds = Array.from({ length: 1_500 }, (_, t) => t);
  const odd = recorded(...seconds.filter((t) => t % 2 === 1 && t < 100));
  const rest = recorded(...seconds.filter((t) => t % 2 === 0 || t >= 100));
  assert.notEqual(odd.ms, rest.ms);
  assert.deepEqual(mergeStretches([odd, rest]), recorded(...seconds));
  assert.deepEqual(mergeStretches([]), { ms: 1_000, blocks: [] });
});

Deno.test("wholeStretches leave out the last one when the run ended within it, and know silence at the end", () => {
  const data = recorded(0, 1, 2);
  assert.equal(wholeStretches(data, 2_900).length, 2);
  assert.equal(wholeStretches(data, 3_000).length, 3);
  assert.deepEqual(wholeStretches(data, 5_100).map(blockTotal), [
    1,
    1,
    1,
    0,
    0,
  ]);
});

Deno.test("encodeBlocks and decodeBlocks are each other's inverse", () => {
  const stretches = new LatencyStretches(0);
  for (let i = 0; i < 5_000; i++) stretches.record(i * 3, i % 700 + i / 9);
  const data = stretches.data();
  assert.deepEqual(decodeBlocks(encodeBlocks(data)), data.blocks);
  assert.deepEqual(decodeBlocks(""), []);
  assert.throws(() => decodeBlocks("Ag=="), /cut short/);
});
