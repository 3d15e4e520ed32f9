import type { Distribution } from "../../model/metrics.ts";

/** Buckets to a doubling of the latency; the series' coarse ones are four of these. */
const PER_OCTAVE = 16;
const LOWEST_MS = 0.01;
/** Up to an hour. */
const SIZE = 464;
/** Buckets of `series.json`: a coarse one is so many of these. */
const FINE_TO_COARSE = 4;
export const COARSE_BUCKETS: number = SIZE / FINE_TO_COARSE;
const COUNT_BITS = 23;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

function fineBucket(ms: number): number {
  return ms > LOWEST_MS
    ? Math.min(SIZE - 1, Math.log2(ms / LOWEST_MS) * PER_OCTAVE | 0)
    : 0;
}

/** The bucket of `series.json` that a latency counts in. */
export function coarseBucket(ms: number): number {
  return Math.floor(fineBucket(ms) / FINE_TO_COARSE);
}

/**
 * Latencies of one second: bucket f holds [2^(f/16), 2^((f+1)/16)) * 10 us, so
 * that a quantile is right within 2.2 %. Stored packed, a bucket in 32 bits.
 */
export class FineBuckets {
  readonly #counts = new Uint32Array(SIZE);
  #total = 0;

  record(ms: number): void {
    this.#counts[fineBucket(ms)]!++;
    this.#total++;
  }

  clear(): void {
    if (this.#total === 0) return;
    this.#counts.fill(0);
    this.#total = 0;
  }

  /** Filled buckets only: 9 bits of bucket above 23 bits of count. */
  packed(): Uint32Array {
    if (this.#total === 0) return new Uint32Array(0);
    const pairs: number[] = [];
    for (let bucket = 0; bucket < SIZE; bucket++) {
      const count = this.#counts[bucket]!;
      if (count === 0) continue;
      pairs.push((bucket << COUNT_BITS | Math.min(count, COUNT_MASK)) >>> 0);
    }
    return Uint32Array.from(pairs);
  }

  /** Adds what `packed` returned. */
  add(packed: Uint32Array): void {
    for (const pair of packed) {
      const count = pair & COUNT_MASK;
      this.#counts[pair >>> COUNT_BITS]! += count;
      this.#total += count;
    }
  }

  /** The nearest-rank `p`th percentile in milliseconds; 0 without samples. */
  percentile(p: number): number {
    let left = Math.max(1, Math.ceil(p / 100 * this.#total));
    if (this.#total === 0) return 0;
    for (let bucket = 0; bucket < SIZE; bucket++) {
      left -= this.#counts[bucket]!;
      if (left <= 0) return LOWEST_MS * 2 ** ((bucket + 0.5) / PER_OCTAVE);
    }
    return 0;
  }

  /** How many latencies there are. */
  get total(): number {
    return this.#total;
  }

  /** The mean in milliseconds, right within 2.2 %; 0 without samples. */
  mean(): number {
    let sum = 0;
    for (let bucket = 0; bucket < SIZE; bucket++) {
      const count = this.#counts[bucket]!;
      if (count > 0) {
        sum += count * LOWEST_MS * 2 ** ((bucket + 0.5) / PER_OCTAVE);
      }
    }
    return this.#total === 0 ? 0 : sum / this.#total;
  }

  /** Counts by the four-to-an-octave buckets of `series.json`. */
  coarse(): [bucket: number, count: number][] {
    const found: [number, number][] = [];
    for (let bucket = 0; bucket < COARSE_BUCKETS; bucket++) {
      const from = bucket * FINE_TO_COARSE;
      let count = 0;
      for (let i = 0; i < FINE_TO_COARSE; i++) count += this.#counts[from + i]!;
      if (count > 0) found.push([bucket, count]);
    }
    return found;
  }
}

/**
 * The spread of the latencies of some seconds of a run. The maximum is exact,
 * everything else is right within 2.2 %.
 */
export function latencyOf(
  seconds: readonly { readonly buckets: Uint32Array; readonly max: number }[],
): Distribution {
  const fine = new FineBuckets();
  let max = 0;
  for (const second of seconds) {
    fine.add(second.buckets);
    if (second.max > max) max = second.max;
  }
  const within = (ms: number) => Math.min(ms, max);
  return {
    count: fine.total,
    min: within(fine.percentile(Number.MIN_VALUE)),
    avg: within(fine.mean()),
    max,
    percentile: (p) => p >= 100 ? max : within(fine.percentile(p)),
  };
}
