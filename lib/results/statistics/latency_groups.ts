import { sum } from "../../base/values/sum.ts";
import {
  blockTotal,
  bucketMiddle,
  BUCKETS,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency.ts";
import {
  type Design,
  designOf,
  type LongRun,
  longRun,
  meanAndVariance,
} from "./long_run.ts";

/** Samples, the mean of their logarithms, and the sum of their squared distances from it. */
interface LogMoments {
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

function logMoments({ buckets, counts }: LatencyBlock): LogMoments {
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

/** The variance that chance alone makes between the means of filled groups. */
function noiseOf(filled: readonly LogMoments[]): number {
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
 * The groups' own variance is very uncertain for a percentile
 * which few samples of a group exceed. How it goes along with the groups' mean
 * latency is known much better: a slow second has more slow requests. So that part
 * counts in full, and the rest only as far as it exceeds half its standard error.
 *
 * @param moments of the groups
 * @param above the share of all samples beyond the bucket
 */
function betweenGroups(
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

/** More groups cost time and say no more. */
const MOST_GROUPS = 256;
/** Samples a group should hold on average. */
const GROUP_SAMPLES = 10;

/**
 * Latencies in stretches of equal length, and how these hang together.
 *
 * Samples of one second are alike, so the share of samples above a percentile
 * varies from second to second by more than chance; and a slow second is followed
 * by another one. The first is measured for each percentile, the second on the
 * mean latencies of the stretches, which show it best.
 */
export class LatencyGroups {
  readonly groups: readonly LatencyBlock[];
  readonly together: LatencyBlock;
  readonly total: number;
  /** How the groups' mean latencies hang together, of their logarithms. */
  readonly longRun: LongRun;
  readonly #moments: readonly LogMoments[];

  /**
   * @param blocks stretches of equal length, in order; empty ones as well
   * @param size how many neighbours are one group; by their samples when absent
   */
  constructor(blocks: readonly LatencyBlock[], size?: number) {
    const together = joinBlocks(blocks);
    this.together = together;
    this.total = blockTotal(together);
    this.groups = grouped(blocks, size ?? groupSize(blocks.length, this.total));
    this.#moments = this.groups.map(logMoments);
    this.longRun = longRunOf(this.#moments);
  }

  /** Mean of the logarithms of each group; NaN of an empty one. */
  logMeans(): number[] {
    return this.#moments.map(({ count, mean }) => count === 0 ? NaN : mean);
  }

  /** @param percentile between 0 and 100 */
  design(percentile: number): Design {
    const { groups, total } = this;
    const cut = cutAt(this.together, total * percentile / 100);
    const above = 1 - cut.below / total;
    const within = above * (1 - above) * total / groups.length;
    if (within === 0 || groups.length < 2) return designOf(0, 0);
    const between = betweenGroups(groups, this.#moments, cut.bucket, above);
    return designOf(within, between * this.longRun.factor);
  }
}

/** How many neighbours to put together, so that each group holds some samples. */
export function groupSize(blocks: number, total: number): number {
  const count = Math.max(1, Math.min(MOST_GROUPS, total / GROUP_SAMPLES));
  return Math.ceil(blocks / count);
}

function grouped(
  blocks: readonly LatencyBlock[],
  size: number,
): readonly LatencyBlock[] {
  if (size <= 1) return blocks;
  const groups: LatencyBlock[] = [];
  // What is left at the end would be shorter than the others.
  for (let at = 0; at + size <= blocks.length; at += size) {
    groups.push(joinBlocks(blocks.slice(at, at + size)));
  }
  return groups;
}

function longRunOf(moments: readonly LogMoments[]): LongRun {
  const filled = moments.filter(({ count }) => count > 0);
  return longRun(filled.map(({ mean }) => mean), noiseOf(filled));
}

/** The end of a bucket that is nearest to a rank, and how many lie below it. */
function cutAt({ buckets, counts }: LatencyBlock, rank: number) {
  let below = 0;
  for (let i = 0; i < buckets.length; i++) {
    const next = below + counts[i]!;
    if (next >= rank) {
      return rank - below < next - rank && below > 0
        ? { bucket: buckets[i]! - 1, below }
        : { bucket: buckets[i]!, below: next };
    }
    below = next;
  }
  return { bucket: Infinity, below };
}
