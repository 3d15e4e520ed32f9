import type { Progress } from "../../results/record/recorder.ts";
import { FineBuckets } from "../../results/histograms/fine_buckets.ts";
import {
  blockOf,
  bucketMiddle,
  bucketOf,
  BUCKETS,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import { LatencyGroups } from "../../results/statistics/latency_groups.ts";
import { percentileBounds } from "../../results/statistics/percentile_bounds.ts";
import type { PrecisionGoal } from "./precision_goal.ts";

/** Seconds after which an interval may be looked at for the first time. */
const FIRST = 10;
/** Then whenever there are so many more of them, as a share. */
const MORE = 0.1;

/** Collects the latencies of a run and says when a percentile is sure enough. */
export class PrecisionWatch {
  readonly #blocks: LatencyBlock[] = [];
  readonly #seen: number[] = [];
  #next = FIRST;
  /** Half the width of the last interval, as a share; undefined before there is one. */
  reached: number | undefined;

  constructor(readonly goal: PrecisionGoal) {}

  /** To be called about once a second. True when the goal is reached. */
  note(parts: readonly Progress[]): boolean {
    const block = this.#fresh(parts);
    if (block) this.#blocks.push(block);
    if (this.#blocks.length < this.#next) return false;
    this.#next = Math.ceil(this.#blocks.length * (1 + MORE));
    const { percentile, within } = this.goal;
    const groups = new LatencyGroups(this.#blocks);
    const bounds = percentileBounds(groups, percentile);
    if (!bounds) return false;
    const [low, value, high] = [bounds.low, percentile, bounds.high].map((p) =>
      valueAt(groups.together, p)
    );
    this.reached = (high! - low!) / 2 / value!;
    return this.reached <= within;
  }

  #fresh(parts: readonly Progress[]): LatencyBlock | undefined {
    const fine = new FineBuckets();
    let any = false;
    parts.forEach(({ second }, thread) => {
      if (!second || second.t <= (this.#seen[thread] ?? -1)) return;
      this.#seen[thread] = second.t;
      fine.add(second.buckets);
      any = true;
    });
    return any ? asBlock(fine) : undefined;
  }
}

/** The middles of the coarser buckets, spread over the finer ones they cover. */
function asBlock(fine: FineBuckets): LatencyBlock {
  const counts = new Uint32Array(BUCKETS);
  fine.each((low, high, count) => {
    const first = bucketOf(Math.round(low * 1_000));
    const width = Math.max(1, bucketOf(Math.round(high * 1_000)) - first);
    for (let i = 0; i < count; i++) counts[first + i % width]!++;
  });
  return blockOf(counts);
}

function valueAt(
  { buckets, counts }: LatencyBlock,
  percentile: number,
): number {
  const total = counts.reduce((all, each) => all + each, 0);
  let left = total * percentile / 100;
  for (let i = 0; i < buckets.length; i++) {
    left -= counts[i]!;
    if (left <= 0) return bucketMiddle(buckets[i]!);
  }
  return NaN;
}
