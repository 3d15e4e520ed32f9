import {
  blockTotal,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import {
  betweenGroups,
  type LogMoments,
  logMoments,
  noiseOf,
} from "./between_groups.ts";
import { type Design, designOf, type LongRun, longRun } from "./long_run.ts";

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
