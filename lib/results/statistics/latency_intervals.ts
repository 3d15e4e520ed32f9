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

/** What is known of the latencies of a run, or of one up to a moment. */
export interface LatencyEvidence {
  /** Of all of it, which is more exact than the blocks. */
  readonly latency: Distribution;
  /** Of the stretches that it went through from end to end, in order. */
  readonly blocks: readonly LatencyBlock[];
  readonly durationMs: number;
}

/** Between which values the true percentiles lie, with a confidence of 95 %. */
export function latencyIntervals(
  { latency, blocks }: Omit<LatencyEvidence, "durationMs">,
): LatencyIntervals {
  const filled = sum(blocks, blockTotal) > 0;
  const groups = filled ? new LatencyGroups(blocks) : undefined;
  const far = latency.count >= leastSamples(99.9) ? [99.9] : [];
  const intervals = [...PERCENTILES, ...far].map((p) => {
    const interval = groups && percentileInterval(latency, groups, p);
    return [`p${p}`, interval ?? null] as const;
  });
  return {
    samples: latency.count,
    ...Object.fromEntries(intervals) as Omit<LatencyIntervals, "samples">,
  };
}

/** Of one percentile; undefined when there are too few samples, or too few seconds. */
export function percentileInterval(
  latency: Distribution,
  groups: LatencyGroups,
  percentile: number,
): { readonly low: number; readonly high: number } | undefined {
  const bounds = percentileBounds(groups, percentile);
  const at = (rank: number) => toThousandths(latency.percentile(rank));
  return bounds && { low: at(bounds.low), high: at(bounds.high) };
}
