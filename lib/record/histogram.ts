// The package's index also loads WebAssembly and log readers, which costs every
// start of the program 40 ms; the class alone needs none of them.
import int32 from "hdr-histogram-js/dist/Int32Histogram.js";
import type { Distribution } from "../result/totals.ts";

/** The library's histogram: 1 us upwards, three significant digits. */
export type HdrHistogram = InstanceType<typeof int32.default>;

/** A histogram as plain data, fit for another thread. Microseconds. */
export interface HistogramData {
  /** Counts by HdrHistogram index (1 us, three digits), cut after the last one used. */
  readonly counts: Uint32Array;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

const HIGHEST_MS = 3_600_000;
const DIGITS = 3;

/**
 * Latencies in constant memory, 8 KB to 94 KB depending on the longest one
 * (HdrHistogram, 1 us to 1 h, within 0.1 %). Recording never throws: what is
 * longer counts as one hour, what is no positive number as zero.
 */
export class Histogram {
  readonly #hdr = newHdr();
  #sum = 0;
  #min = Infinity;
  #max = 0;

  record(ms: number): void {
    const us = ms >= HIGHEST_MS
      ? HIGHEST_MS * 1_000
      : ms > 0
      ? Math.round(ms * 1_000)
      : 0;
    this.#hdr.recordValue(us);
    this.#sum += us;
    if (us < this.#min) this.#min = us;
    if (us > this.#max) this.#max = us;
  }

  /** Adds everything `other` holds. */
  add(other: HistogramData): void {
    if (other.count === 0) return;
    if (other.counts.length > this.#hdr.countsArrayLength) {
      this.#hdr.resize(other.max);
    }
    other.counts.forEach((count, index) => {
      if (count > 0) this.#hdr.addToCountAtIndex(index, count);
    });
    this.#hdr.setTotalCount(this.#hdr.totalCount + other.count);
    this.#hdr.updateMinAndMax(other.min);
    this.#hdr.updateMinAndMax(other.max);
    this.#sum += other.sum;
    this.#min = Math.min(this.#min, other.min);
    this.#max = Math.max(this.#max, other.max);
  }

  /** A copy as plain data. */
  data(): HistogramData {
    const count = this.#hdr.totalCount;
    const used = count === 0 ? 0 : this.#hdr.countsArrayIndex(this.#max) + 1;
    const counts = new Uint32Array(used);
    for (let i = 0; i < used; i++) counts[i] = this.#hdr.getCountAtIndex(i);
    const min = count === 0 ? 0 : this.#min;
    return { counts, count, sum: this.#sum, min, max: this.#max };
  }

  /** What was recorded so far, in milliseconds. Minimum and maximum are exact. */
  distribution(): Distribution {
    const count = this.#hdr.totalCount;
    const min = count === 0 ? 0 : this.#min;
    return {
      count,
      min: min / 1_000,
      avg: count === 0 ? 0 : this.#sum / count / 1_000,
      max: this.#max / 1_000,
      percentile: (p) => {
        if (count === 0) return 0;
        const us = this.#hdr.getValueAtPercentile(p);
        return Math.min(Math.max(us, min), this.#max) / 1_000;
      },
    };
  }

  /** The library's own object, for its encoder. */
  get hdr(): HdrHistogram {
    return this.#hdr;
  }
}

/** One histogram out of many. */
export function mergeHistograms(parts: readonly HistogramData[]): Histogram {
  const merged = new Histogram();
  for (const part of parts) merged.add(part);
  return merged;
}

/** Starts small and grows with the longest value. */
function newHdr(): HdrHistogram {
  const hdr = new int32.default(1, 2, DIGITS);
  hdr.autoResize = true;
  return hdr;
}
