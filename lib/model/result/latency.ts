import * as v from "valibot";
import { type Counts, narrowed } from "../../base/values/counts.ts";
import { n, object, type Stored } from "./stored.ts";

/** The percentiles of `meta.json`. */
export const PERCENTILES = [50, 90, 95, 99] as const;

/** Milliseconds. */
export type Interval = Stored<typeof interval>;
const interval = object({ low: n, high: n });

/**
 * How sure the percentiles are: between which values the true one lies, with a
 * confidence of 95 %; null where there are too few samples or seconds to say.
 */
export type LatencyIntervals = Stored<typeof latencyIntervals>;
export const latencyIntervals = object({
  samples: n,
  ...v.entriesFromList(["p50", "p90", "p95", "p99"], v.nullable(interval)),
  /** Absent where there are too few samples for the percentile itself. */
  "p99.9": v.exactOptional(v.nullable(interval)),
});

/** Phases of an exchange that a step's figures have. */
export const STEP_PHASES = ["connect", "tls", "ttfb", "transfer"] as const;
export type StepPhase = (typeof STEP_PHASES)[number];

const quantiles = object(
  v.entriesFromList(["count", "avg", "p50", "p95", "p99", "max"], n),
);

/** Milliseconds; a phase that never happened is absent. */
export type StepPhases = Stored<typeof stepPhases>;
export const stepPhases = object(
  v.entriesFromList(STEP_PHASES, v.exactOptional(quantiles)),
);

/**
 * Latencies of one stretch of a run: a count for each bucket that holds any. The
 * buckets are those of an HdrHistogram from 1 us with two significant digits, so
 * that a value is known within 0.4 %.
 */
export interface LatencyBlock {
  /** Indexes of buckets, ascending. */
  readonly buckets: Uint16Array;
  readonly counts: Counts;
}

/** Sub-buckets of a doubling: half of 256. */
const HALF = 128;

/** One more than the bucket of the longest latency, which is an hour. */
export const BUCKETS = 3_287;

/** The bucket of a whole number of microseconds below 2^32. */
export function bucketOf(us: number): number {
  const doublings = Math.max(0, 24 - Math.clz32(us));
  return doublings * HALF + (us >>> doublings);
}

/** Where a bucket begins, in microseconds. The one before it ends there. */
export function bucketStart(bucket: number): number {
  const doublings = Math.max(0, Math.floor(bucket / HALF) - 1);
  return (bucket - doublings * HALF) * 2 ** doublings;
}

/** The middle of a bucket, in microseconds. */
export function bucketMiddle(bucket: number): number {
  const start = bucketStart(bucket);
  return (start + bucketStart(bucket + 1) - 1) / 2;
}

/** The sum of several stretches. */
export function joinBlocks(blocks: readonly LatencyBlock[]): LatencyBlock {
  const [only] = blocks;
  if (only && blocks.length === 1) return only;
  let [from, to] = [BUCKETS, 0];
  for (const { buckets, counts } of blocks) {
    if (buckets.length === 0) continue;
    from = Math.min(from, buckets[0]!);
    to = Math.max(to, buckets.at(-1)! + 1);
    for (let i = 0; i < buckets.length; i++) sums[buckets[i]!]! += counts[i]!;
  }
  const joined = blockOf(sums, from, to);
  sums.fill(0, from, to);
  return joined;
}

/** Zero between two calls: most blocks fill a small part of it. */
const sums = new Uint32Array(BUCKETS);

/** The filled ones of `counts`, which are by bucket, from one bucket to another. */
export function blockOf(
  counts: Counts,
  from = 0,
  to = counts.length,
): LatencyBlock {
  const filled: number[] = [];
  for (let i = from; i < to; i++) if (counts[i]! > 0) filled.push(i);
  return {
    buckets: new Uint16Array(filled),
    counts: narrowed(filled.map((bucket) => counts[bucket]!)),
  };
}

/** By nearest rank, in microseconds; NaN without a latency. */
export function blockPercentile(
  block: LatencyBlock,
  percentile: number,
): number {
  let left = Math.max(1, Math.ceil(percentile / 100 * blockTotal(block)));
  const at = block.counts.findIndex((count) => (left -= count) <= 0);
  return at < 0 ? NaN : bucketMiddle(block.buckets[at]!);
}

/** In microseconds; NaN without a latency. */
export function blockMean({ buckets, counts }: LatencyBlock): number {
  let [total, count] = [0, 0];
  buckets.forEach((bucket, i) => {
    total += bucketMiddle(bucket) * counts[i]!;
    count += counts[i]!;
  });
  return total / count;
}

/** How many latencies there are. */
export function blockTotal({ counts }: LatencyBlock): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
