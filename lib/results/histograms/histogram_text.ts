// The encoder of the histogram class, loaded at the end of a run, because
// the compression it brings along is slow to load.
import encoding from "hdr-histogram-js/dist/JsHistogram.encoding.js";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { Histogram, type HistogramData } from "./histogram.ts";

/** V2 compressed base64, as every HdrHistogram implementation reads it. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.hdr.encodeIntoCompressedBase64();
}

/**
 * Reads that text back. Sum, minimum and maximum are then as exact as the
 * buckets are (0.1 %).
 *
 * @throws {Error} when the text is no V2 histogram, or one of another precision
 */
export function decodeHistogram(text: string): Histogram {
  const hdr = encoding.doDecode(payloadOf(text), 32);
  const counts = new Uint32Array(hdr.countsArrayLength);
  let sum = 0;
  let min = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = hdr.getCountAtIndex(i);
    if (count === 0) continue;
    if (sum === 0 && min === 0) min = hdr.valueFromIndex(i);
    counts[i] = count;
    sum += count * hdr.medianEquivalentValue(hdr.valueFromIndex(i));
  }
  const max = hdr.maxValue;
  const data: HistogramData = { counts, count: hdr.totalCount, sum, min, max };
  const histogram = new Histogram();
  histogram.add(data);
  return histogram;
}

/** What three digits and 64-bit values need: 56,000 counts of up to 9 bytes. */
const MOST_BYTES = 512 * 1024;
/** Cookies of the V2 encoding, and of one that is compressed. */
const [COUNTS, COMPRESSED] = [0x1c849313, 0x1c849314];
/** Of a compressed histogram, and of one that is not. */
const [OUTER_BYTES, INNER_BYTES] = [8, 40];

/**
 * The encoding of a histogram, decompressed. What the library takes from it
 * without a look is looked at first: the text may come from anywhere.
 */
function payloadOf(text: string): Uint8Array {
  const outer = Buffer.from(Uint8Array.fromBase64(text.trim()));
  if (outer.length < OUTER_BYTES || outer.readUInt32BE(0) !== COMPRESSED) {
    throw new Error("Cannot read a histogram: it is not of the V2 encoding");
  }
  const bytes = zlib.inflateSync(outer.subarray(OUTER_BYTES), {
    maxOutputLength: MOST_BYTES,
  });
  if (bytes.length < INNER_BYTES || bytes.readUInt32BE(0) !== COUNTS) {
    throw new Error("Cannot read a histogram: it is not of the V2 encoding");
  }
  const digits = bytes.readInt32BE(12);
  const lowest = bytes.readBigInt64BE(16);
  if (digits !== 3 || lowest !== 1n) {
    throw new Error(
      `Cannot read a histogram of ${digits} digits from ${lowest}: expected 3 digits from 1`,
    );
  }
  if (bytes.readInt32BE(4) !== bytes.length - INNER_BYTES) {
    throw new Error("Cannot read a histogram: its length is not what it says");
  }
  return bytes;
}
