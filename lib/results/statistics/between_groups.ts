import { sum } from "../../base/values/sum.ts";
import { meanAndVariance } from "./long_run.ts";
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
function logOf(bucket: number): number {
  logs ??= Float64Array.from(
    { length: BUCKETS },
    (_, each) => Math.log(Math.max(1, bucketMiddle(each))),
  );
  return logs[bucket]!;
}

/** Below it the standard error of a variance of counts means little. */
const LEAST_WITHIN = 0.1;

/**
 * By how much more the samples beyond a bucket vary from group to group than
 * chance makes them.
 *
 * What the groups' own variance says of that is very uncertain for a percentile
 * which few samples of a group exceed. How it goes along with the groups' mean
 * latency is known much better: a slow second has more slow requests. So that part
 * counts in full, and the rest only as far as it exceeds half its standard error.
 *
 * @param moments of the groups
 * @param above the share of all samples beyond the bucket
 */
export function betweenGroups(
  groups: readonly LatencyBlock[],
  moments: readonly LogMoments[],
  bucket: number,
  above: number,
): number {
  const { length } = groups;
  const filled = moments.filter(({ count }) => count > 0);
  const { mean, variance } = meanAndVariance(filled.map((each) => each.mean));
  const noise = noiseOf(filled);
  const spread = variance - noise;
  let squares = 0;
  let together = 0;
  let chance = 0;
  groups.forEach((group, i) => {
    const { count, mean: own } = moments[i]!;
    if (count === 0) return;
    const { beyond, logs } = beyondOf(group, bucket);
    const excess = beyond - above * count;
    squares += excess * excess;
    together += excess * (own - mean);
    // The same slow samples are in the count and in the mean.
    chance += (logs - beyond * own) / count;
  });
  const within = above * (1 - above) * sum(moments, (each) => each.count) /
    length;
  const covariance = together / (length - 1) - chance / filled.length;
  const explained = spread <= noise * Math.sqrt(2 / length)
    ? 0
    : Math.max(0, covariance * Math.abs(covariance) / spread - within / length);
  const error = within *
    Math.sqrt((2 + 1 / Math.max(LEAST_WITHIN, within)) / length);
  const rest = squares / (length - 1) - within - explained;
  return explained + Math.max(0, rest - error / 2);
}

/** Samples beyond a bucket, and the sum of their logarithms. */
function beyondOf({ buckets, counts }: LatencyBlock, bucket: number) {
  let beyond = 0;
  let logs = 0;
  for (let i = buckets.length - 1; i >= 0 && buckets[i]! > bucket; i--) {
    beyond += counts[i]!;
    logs += counts[i]! * logOf(buckets[i]!);
  }
  return { beyond, logs };
}
