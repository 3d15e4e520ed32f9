import * as zlib from "node:zlib";
import { Histogram, type HistogramData, lowestOf } from "./histogram.ts";
import { NumberReader, NumberWriter } from "./leb128.ts";

/** Cookies of the V2 encoding, and of one that is compressed. */
const [COUNTS, COMPRESSED] = [0x1c849313, 0x1c849314];
/** The sizes of the heads of a compressed histogram, and of the counts in it. */
const [OUTER_BYTES, INNER_BYTES] = [8, 40];
const DIGITS = 3;
/** Indexes of three digits and 64-bit values, and what their counts take: 9 bytes each at the most. */
const MOST_COUNTS = 56 * 1024;
const MOST_BYTES = 9 * MOST_COUNTS + INNER_BYTES;

/** A compressed one is shorter as a rule; by default each call takes 16 KiB. */
const CHUNK_BYTES = 1_024;

/** V2 compressed base64, as every HdrHistogram implementation reads it. */
export function encodeHistogram(histogram: Histogram): string {
  const { counts } = histogram;
  return counts.length === 0
    // Of each step that was never throttled.
    ? empty ??= encodeCounts(counts)
    : encodeCounts(counts);
}

let empty: string | undefined;

function encodeCounts(counts: ArrayLike<number>): string {
  const payload = payloadOf(counts);
  const inner = new Uint8Array(INNER_BYTES + payload.length);
  const head = new DataView(inner.buffer);
  head.setInt32(0, COUNTS);
  head.setInt32(4, payload.length);
  head.setInt32(12, DIGITS);
  head.setBigInt64(16, 1n);
  head.setBigInt64(24, BigInt(highestOf(counts.length)));
  head.setFloat64(32, 1);
  inner.set(payload, INNER_BYTES);
  const compressed = zlib.deflateSync(inner, { chunkSize: CHUNK_BYTES });
  const outer = new Uint8Array(OUTER_BYTES + compressed.length);
  new DataView(outer.buffer).setInt32(0, COMPRESSED);
  new DataView(outer.buffer).setInt32(4, compressed.length);
  outer.set(compressed, OUTER_BYTES);
  return outer.toBase64();
}

/** The highest value that so many counts, and those up to the next doubling, are for. */
function highestOf(counts: number): number {
  return lowestOf(Math.max(2, Math.ceil(counts / 1_024)) * 1_024) - 1;
}

/** For all histograms: each of its own would be most of what one leaves behind. */
const numbers = new NumberWriter();

/** Even numbers are counts, twice as large; odd ones are how many buckets are empty. */
function payloadOf(counts: ArrayLike<number>): Uint8Array {
  numbers.cut(0);
  for (let index = 0; index < counts.length;) {
    const from = index;
    while (counts[index] === 0) index++;
    const empty = index - from;
    if (empty === 1) numbers.write(0);
    else if (empty > 1) numbers.write(2 * empty - 1);
    else numbers.write(2 * counts[index++]!);
  }
  return numbers.bytes;
}

/**
 * Reads that text back. Sum, minimum and maximum are then as exact as the
 * buckets are (0.1 %).
 *
 * @throws {Error} when the text is no V2 histogram, or one of another precision
 */
export function decodeHistogram(text: string): Histogram {
  const counts = countsOf(inflated(text));
  let [count, sum, min, max] = [0, 0, 0, 0];
  counts.forEach((each, index) => {
    if (each === 0) return;
    const [low, next] = [lowestOf(index), lowestOf(index + 1)];
    if (count === 0) min = low;
    max = next - 1;
    count += each;
    sum += each * Math.floor((low + next) / 2);
  });
  const data: HistogramData = { counts, count, sum, min, max };
  const histogram = new Histogram();
  histogram.add(data);
  return histogram;
}

function countsOf(payload: Uint8Array): Uint32Array {
  const counts = new Uint32Array(MOST_COUNTS);
  const reader = new NumberReader(payload, INNER_BYTES);
  let index = 0;
  while (!reader.atEnd) {
    const number = reader.read();
    if (number % 2 === 1) index += (number + 1) / 2;
    else if (index < MOST_COUNTS) counts[index++] = number / 2;
    else throw new Error("Cannot read a histogram: it has too many counts");
  }
  return counts.slice(0, index);
}

/** The text may come from anywhere, so its head is looked at before the rest is read. */
function inflated(text: string): Uint8Array {
  const outer = Uint8Array.fromBase64(text.trim());
  if (outer.length < OUTER_BYTES || int32(outer, 0) !== COMPRESSED) {
    throw new Error("Cannot read a histogram: it is not of the V2 encoding");
  }
  const bytes = zlib.inflateSync(outer.subarray(OUTER_BYTES), {
    maxOutputLength: MOST_BYTES,
  });
  if (bytes.length < INNER_BYTES || int32(bytes, 0) !== COUNTS) {
    throw new Error("Cannot read a histogram: it is not of the V2 encoding");
  }
  const digits = int32(bytes, 12);
  const lowest = new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(16);
  if (digits !== DIGITS || lowest !== 1n) {
    throw new Error(
      `Cannot read a histogram of ${digits} digits from ${lowest}: expected 3 digits from 1`,
    );
  }
  if (int32(bytes, 4) !== bytes.length - INNER_BYTES) {
    throw new Error("Cannot read a histogram: its length is not what it says");
  }
  return bytes;
}

function int32({ buffer, byteOffset }: Uint8Array, at: number): number {
  return new DataView(buffer, byteOffset).getInt32(at);
}
