import { sum } from "../../base/values/sum.ts";
import type { DifferenceBounds } from "./difference_bounds.ts";
import { halfWidth } from "./distributions.ts";
import type { LatencyGroups } from "./latency_groups.ts";
import { type LongRun, longRun } from "./long_run.ts";

/** Two runs that were measured in the same seconds, second by second. */
export interface LogRatio {
  /** Logarithms of the ratio of their geometric means. */
  readonly ratios: readonly number[];
  /** How these hang together, without what made both slow at once. */
  readonly longRun: LongRun;
}

/** Of `b` to `a`, which have the same groups. */
export function logRatio(a: LatencyGroups, b: LatencyGroups): LogRatio {
  const before = a.logMeans();
  const ratios = b.logMeans().map((mean, i) => mean - (before[i] ?? NaN))
    .filter((each) => !Number.isNaN(each));
  return { ratios, longRun: longRun(ratios) };
}

/** @returns undefined of less than two seconds */
export function logRatioBounds(
  { ratios, longRun: { factor, degrees } }: LogRatio,
  confidence: number,
): DifferenceBounds | undefined {
  const { length } = ratios;
  if (length < 2) return;
  const value = sum(ratios, (each) => each) / length;
  const variance = sum(ratios, (each) => (each - value) ** 2) / (length - 1);
  const off = halfWidth(degrees, confidence) *
    Math.sqrt(variance * factor / length);
  return { value, low: value - off, high: value + off };
}
