import { toThousandths } from "../../base/values/numbers.ts";
import { sum } from "../../base/values/sum.ts";
import {
  blockTotal,
  type LatencyBlock,
  type LatencyIntervals,
  PERCENTILES,
} from "../../model/result/latency.ts";
import type { Distribution } from "../../model/metrics.ts";
import { estimatedWidth, shareBounds } from "./distributions.ts";
import { LatencyGroups } from "./latency_groups.ts";
import { leastSamples } from "./sample_floor.ts";

/** Between which percentiles of the samples the true one lies. */
interface PercentileBounds {
  /** Percentiles, in (0, 100). */
  readonly low: number;
  readonly high: number;
}

/** Fewer stretches do not show how they hang together. */
const LEAST_GROUPS = 5;

/**
 * Order-statistic bounds of a percentile: the rank of the true one among `n`
 * independent samples is binomial. Here `n` is how many independent samples would
 * say as much as these do.
 *
 * @param percentile between 0 and 100
 * @param confidence with which the true one lies between the bounds
 * @returns undefined when there are too few samples, or too few seconds
 */
export function percentileBounds(
  samples: LatencyGroups,
  percentile: number,
  confidence = 0.95,
): PercentileBounds | undefined {
  const { total, groups } = samples;
  if (total < leastSamples(percentile) || groups.length < LEAST_GROUPS) return;
  const n = equivalentSamples(samples, percentile, confidence);
  // Between two order statistics.
  const { low, high } = shareBounds(percentile / 100, n, confidence);
  // The slowest sample bounds nothing from above, the fastest nothing from below.
  if (high * total > total - 1 || low * total < 1) return;
  return { low: low * 100, high: high * 100 };
}

function equivalentSamples(
  samples: LatencyGroups,
  percentile: number,
  confidence: number,
): number {
  const { effect, share } = samples.design(percentile);
  const wider = estimatedWidth(share, samples.longRun.degrees, confidence);
  return samples.total / effect / wider ** 2;
}

/** The latencies of a run, or of one up to a moment. */
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
