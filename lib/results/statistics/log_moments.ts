import { sum } from "../../base/values/sum.ts";
import {
  bucketMiddle,
  BUCKETS,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";

/** Samples, the mean of their logarithms, and the sum of their squared distances from it. */
export interface LogMoments {
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

export function logMoments({ buckets, counts }: LatencyBlock): LogMoments {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < buckets.length; i++) {
    const value = logOf(buckets[i]!);
    const off = value - mean;
    count += counts[i]!;
    mean += off * counts[i]! / count;
    squares += counts[i]! * off * (value - mean);
  }
  return { count, mean, squares };
}

/** What the means of filled groups differ by when nothing but chance sets them apart. */
export function noiseOf(filled: readonly LogMoments[]): number {
  const degrees = sum(filled, ({ count }) => count - 1);
  if (degrees === 0) return 0;
  const within = sum(filled, ({ squares }) => squares) / degrees;
  return sum(filled, ({ count }) => within / count) / filled.length;
}

let logs: Float64Array | undefined;

/** The logarithm of the middle of a bucket, in microseconds. */
export function logOf(bucket: number): number {
  logs ??= Float64Array.from(
    { length: BUCKETS },
    (_, each) => Math.log(Math.max(1, bucketMiddle(each))),
  );
  return logs[bucket]!;
}
