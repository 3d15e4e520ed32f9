import { sum } from "../../base/values/sum.ts";
import {
  blockTotal,
  bucketMiddle,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import { type LongRun, longRun } from "./long_run.ts";

/** What sets samples apart from independent ones, at one percentile. */
export interface Design {
  /** How many of them say as much as one independent sample. */
  readonly effect: number;
  /** How much of the variance is between seconds, and so estimated. */
  readonly share: number;
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

  /**
   * @param blocks stretches of equal length, in order; empty ones as well
   * @param size how many neighbours are one group; by their samples when absent
   */
  constructor(blocks: readonly LatencyBlock[], size?: number) {
    const together = joinBlocks(blocks);
    this.together = together;
    this.total = blockTotal(together);
    this.groups = grouped(blocks, size ?? groupSize(blocks.length, this.total));
    this.longRun = longRunOf(this.groups);
  }

  /** Mean of the logarithms of each group; NaN of an empty one. */
  logMeans(): number[] {
    return this.groups.map((group) => {
      const { count, mean } = logMoments(group);
      return count === 0 ? NaN : mean;
    });
  }

  /** @param percentile between 0 and 100 */
  design(percentile: number): Design {
    const { groups, total } = this;
    const cut = cutAt(this.together, total * percentile / 100);
    const above = 1 - cut.below / total;
    const within = above * (1 - above) * total / groups.length;
    if (within === 0 || groups.length < 2) return { effect: 1, share: 0 };
    const excess = groups.map((group) => {
      const { inside, beyond } = countsOf(group, cut.bucket);
      return beyond - above * (inside + beyond);
    });
    const variance = sum(excess, (each) => each * each) / (groups.length - 1);
    const between = Math.max(0, variance - within) * this.longRun.factor;
    return {
      effect: (within + between) / within,
      share: between / (within + between),
    };
  }
}

/** How many neighbours to put together, so that each group holds some samples. */
export function groupSize(blocks: number, total: number): number {
  const wanted = Math.max(1, Math.min(MOST_GROUPS, total / GROUP_SAMPLES));
  return Math.ceil(blocks / wanted);
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

function longRunOf(groups: readonly LatencyBlock[]): LongRun {
  const filled = groups.map(logMoments).filter(({ count }) => count > 0);
  const degrees = sum(filled, ({ count }) => count - 1);
  const within = degrees > 0
    ? sum(filled, ({ squares }) => squares) / degrees
    : 0;
  const noise = sum(filled, ({ count }) => within / count) /
    Math.max(1, filled.length);
  return longRun(filled.map(({ mean }) => mean), noise);
}

/** Mean of the logarithms, and the sum of their squared distances from it. */
function logMoments({ buckets, counts }: LatencyBlock) {
  let count = 0;
  let mean = 0;
  let squares = 0;
  buckets.forEach((bucket, i) => {
    const value = Math.log(Math.max(1, bucketMiddle(bucket)));
    const off = value - mean;
    count += counts[i]!;
    mean += off * counts[i]! / count;
    squares += counts[i]! * off * (value - mean);
  });
  return { count, mean, squares };
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

/** Samples up to a bucket, and beyond it. */
function countsOf({ buckets, counts }: LatencyBlock, bucket: number) {
  let inside = 0;
  let beyond = 0;
  for (let i = 0; i < buckets.length; i++) {
    if (buckets[i]! > bucket) beyond += counts[i]!;
    else inside += counts[i]!;
  }
  return { inside, beyond };
}
