import assert from "node:assert/strict";
import {
  blockTotal,
  bucketMiddle,
} from "../../../../lib/model/result/latency.ts";
import {
  LatencyStretches,
  mergeStretches,
  type StretchesData,
  stretchesOfStep,
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

const blocksOf = ({ blocks }: StretchesData) => decodeBlocks(blocks);
const totals = (data: StretchesData) => blocksOf(data).map(blockTotal);

Deno.test("LatencyStretches count by the second, seconds without a latency as well", () => {
  assert.deepEqual(totals(recorded(0, 0.9, 1, 3.2)), [2, 1, 0, 1]);
  const { buckets } = blocksOf(recorded(0.25))[0]!;
  assert.ok(Math.abs(bucketMiddle(buckets[0]!) - 1_250) < 6);
});

Deno.test("LatencyStretches of a long run are longer, and never more than 512", () => {
  const seconds = Array.from({ length: 3_000 }, (_, t) => t);
  const data = recorded(...seconds);
  assert.equal(data.ms, 8_000);
  assert.deepEqual(totals(data), Array(375).fill(8));
});

Deno.test("LatencyStretches of a step of a long flow are fewer, of the same latencies", () => {
  const few = new LatencyStretches(0, 50);
  const many = new LatencyStretches(0);
  for (let i = 0; i < 4_000; i++) {
    few.record(i * 50, i % 300);
    many.record(i * 50, i % 300);
  }
  const { ms } = few.data();
  assert.deepEqual([ms, totals(few.data()).length], [4_000, 50]);
  assert.deepEqual(
    mergeStretches([few.data(), { ms, blocks: "" }]),
    mergeStretches([many.data(), { ms, blocks: "" }]),
  );
});

Deno.test("LatencyStretches skip an hour of silence", () => {
  const data = recorded(0, 3_600);
  const each = totals(data);
  assert.deepEqual([data.ms, each.length], [8_000, 451]);
  assert.deepEqual([each[0], each[450]], [1, 1]);
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
  assert.deepEqual(mergeStretches([]), { ms: 1_000, blocks: "" });
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
  const { blocks } = stretches.data();
  assert.equal(encodeBlocks(decodeBlocks(blocks)), blocks);
  assert.deepEqual(decodeBlocks(""), []);
  assert.throws(() => decodeBlocks("Ag=="), /cut short/);
});

Deno.test("stretchesOfStep gives each of many steps fewer, an even number", () => {
  const first = [1, 20, 21, 200, 5_000].map((n) => stretchesOfStep(0, n));
  assert.deepEqual(first, [512, 512, 486, 50, 32]);
  const others = [1, 7, 8].map((index) => stretchesOfStep(index, 200));
  assert.deepEqual(others, [48, 36, 50]);
});
