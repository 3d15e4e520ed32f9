import { countAt, type Counts, narrowed } from "../../base/values/counts.ts";
import type { Distribution } from "../../model/metrics.ts";

/** A histogram as plain data, fit for another thread. Microseconds. */
export interface HistogramData {
  /** Counts by HdrHistogram index (1 us, three digits), cut after the last one used. */
  readonly counts: Counts;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

const HIGHEST_MS = 3_600_000;
const NONE = new Uint8Array(0);

/**
 * Latencies in constant memory, 512 bytes to 94 KB depending on the longest one and on how
 * many are the same (HdrHistogram, 1 us to 1 h, within 0.1 %). Recording never throws: what is
 * longer counts as one hour, and what is not a positive number as zero.
 *
 * Our own, by the index every HdrHistogram has: a library's `recordValue` takes
 * logarithms and powers, nine times as long, which was 2 % of a request, and to
 * load it was a tenth of a run of one step.
 */
export class Histogram {
  /** Empty until something is recorded: runs of many steps have many that stay so. */
  #counts: Counts = NONE;
  #count = 0;
  #sum = 0;
  #min = Infinity;
  #max = 0;

  record(ms: number): void {
    const us = ms >= HIGHEST_MS
      ? HIGHEST_MS * 1_000
      : ms > 0
      ? Math.round(ms * 1_000)
      : 0;
    const index = indexOf(us);
    this.#counts = countAt(this.#counts, index);
    this.#count++;
    this.#sum += us;
    if (us < this.#min) this.#min = us;
    if (us > this.#max) this.#max = us;
  }

  /** The one that `data` is of: it goes on counting in its counts. */
  static of(data: HistogramData): Histogram {
    const histogram = new Histogram();
    if (data.count === 0) return histogram;
    histogram.#counts = data.counts;
    histogram.#count = data.count;
    histogram.#sum = data.sum;
    histogram.#min = data.min;
    histogram.#max = data.max;
    return histogram;
  }

  /** Adds everything that the others hold. */
  add(...others: readonly HistogramData[]): void {
    const all = [this.#counts, ...others.map(({ counts }) => counts)];
    const sums = new Uint32Array(Math.max(...all.map(({ length }) => length)));
    sums.set(this.#counts);
    for (const { counts, count, sum, min, max } of others) {
      if (count === 0) continue;
      for (let index = 0; index < counts.length; index++) {
        sums[index]! += counts[index]!;
      }
      this.#count += count;
      this.#sum += sum;
      this.#min = Math.min(this.#min, min);
      this.#max = Math.max(this.#max, max);
    }
    this.#counts = narrowed(sums);
  }

  /** As in `HistogramData`: a view, which holds until more is recorded. */
  get counts(): Counts {
    const used = this.#count === 0 ? 0 : indexOf(this.#max) + 1;
    return this.#counts.subarray(0, used);
  }

  /** A copy as plain data. */
  data(): HistogramData {
    const min = this.#count === 0 ? 0 : this.#min;
    return {
      counts: this.counts.slice(),
      count: this.#count,
      sum: this.#sum,
      min,
      max: this.#max,
    };
  }

  /** The distribution so far, in milliseconds. Minimum and maximum are exact. */
  distribution(): Distribution {
    const count = this.#count;
    const min = count === 0 ? 0 : this.#min;
    const max = this.#max;
    const known = new Map<number, number>();
    const percentile = (p: number) =>
      Math.min(Math.max(this.#highestAt(p), min), max) / 1_000;
    return {
      count,
      min: min / 1_000,
      avg: count === 0 ? 0 : this.#sum / count / 1_000,
      max: max / 1_000,
      percentile: (p) =>
        count === 0 ? 0 : known.getOrInsertComputed(p, percentile),
    };
  }

  /** The highest microsecond that is the same, to three digits, as the nearest-rank `p`th percentile. */
  #highestAt(p: number): number {
    const exact = Math.min(p, 100) / 100 * this.#count;
    // A product a few bits above a whole number is that number.
    let left = Math.max(1, Math.ceil(exact * (1 - Number.EPSILON)));
    let index = -1;
    while (left > 0) left -= this.#counts[++index]!;
    return lowestOf(index + 1) - 1;
  }
}

/** Sub-buckets of a doubling that three digits need: half of 2,048. */
const HALF = 1_024;

/**
 * HdrHistogram's index of a whole number below 2^32: the first 2,048 have one
 * each, then every doubling has 1,024.
 */
function indexOf(us: number): number {
  const doublings = Math.max(0, 21 - Math.clz32(us));
  return doublings * HALF + (us >>> doublings);
}

/** The lowest whole number of microseconds that an index stands for. */
export function lowestOf(index: number): number {
  const doublings = Math.max(0, Math.floor(index / HALF) - 1);
  return (index - doublings * HALF) * 2 ** doublings;
}

/** One histogram out of many; the only one is taken over as it is. */
export function mergeHistograms(parts: readonly HistogramData[]): Histogram {
  if (parts.length === 1) return Histogram.of(parts[0]!);
  const merged = new Histogram();
  merged.add(...parts);
  return merged;
}

/**
 * How many values of a histogram are at most each bound; within the 0.1 % of
 * its own buckets.
 *
 * @param bounds microseconds, rising
 */
export function countsUpTo(
  { counts }: HistogramData,
  bounds: readonly number[],
): number[] {
  let index = 0;
  let count = 0;
  return bounds.map((bound) => {
    while (index < counts.length && lowestOf(index) <= bound) {
      count += counts[index++]!;
    }
    return count;
  });
}
