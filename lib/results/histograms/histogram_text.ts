// The encoder of the histogram class, loaded at the end of a run, because
// the compression it brings along is slow to load.
import encoding from "hdr-histogram-js/dist/JsHistogram.encoding.js";
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
  const bytes = Uint8Array.fromBase64(text.trim());
  const hdr = encoding.doDecode(encoding.decompress(bytes), 32);
  if (
    hdr.lowestDiscernibleValue !== 1 || hdr.numberOfSignificantValueDigits !== 3
  ) {
    throw new Error(
      `Cannot read a histogram of ${hdr.numberOfSignificantValueDigits} digits from ${hdr.lowestDiscernibleValue}: expected 3 digits from 1`,
    );
  }
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
