import { sum } from "../../base/values/sum.ts";
import {
  blockTotal,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import {
  type LatencyIntervals,
  PERCENTILES,
} from "../../model/result/latency.ts";
import { toThousandths } from "../../base/values/numbers.ts";
import type { Distribution } from "../../model/result/totals.ts";
import { LatencyGroups } from "./latency_groups.ts";
import { leastSamples } from "./sample_floor.ts";
import { percentileBounds } from "./percentile_bounds.ts";

/**
 * Between which values the true percentiles lie, with a confidence of 95 %.
 *
 * @param latency of the whole run, which is more exact than the blocks
 * @param blocks of the stretches of the run, in order
 */
export function latencyIntervals(
  latency: Distribution,
  blocks: readonly LatencyBlock[],
): LatencyIntervals {
  const filled = sum(blocks, blockTotal) > 0;
  const groups = filled ? new LatencyGroups(blocks) : undefined;
  const far = latency.count >= leastSamples(99.9) ? [99.9] : [];
  const intervals = [...PERCENTILES, ...far].map((p) => {
    const bounds = groups && percentileBounds(groups, p);
    const at = (rank: number) => toThousandths(latency.percentile(rank));
    return [
      `p${p}`,
      bounds ? { low: at(bounds.low), high: at(bounds.high) } : null,
    ] as const;
  });
  return {
    samples: latency.count,
    ...Object.fromEntries(intervals) as Omit<LatencyIntervals, "samples">,
  };
}
