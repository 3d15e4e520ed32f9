import type { DifferenceBounds } from "./difference_bounds.ts";
import { halfWidth } from "./distributions.ts";
import { type LongRun, longRun, meanAndVariance } from "./long_run.ts";
import type { LatencyGroups } from "./latency_groups.ts";

/** The logarithm of a series' mean, and its standard error. */
interface SeriesMean {
  readonly value: number;
  readonly error: number;
  readonly degrees: number;
}

/** @returns undefined of a series whose mean is not above zero */
export function seriesMean(series: readonly number[]): SeriesMean | undefined {
  const { mean, variance } = meanAndVariance(series);
  if (!(mean > 0)) return;
  const { factor, degrees } = longRun(series);
  const error = Math.sqrt(variance * factor / series.length) / mean;
  return { value: Math.log(mean), error, degrees };
}

/** By how much `b` is more than `a` (Welch's interval). */
export function meanDifference(
  a: SeriesMean,
  b: SeriesMean,
  confidence: number,
): DifferenceBounds {
  const value = b.value - a.value;
  const [x, y] = [a.error ** 2, b.error ** 2];
  if (x + y === 0) return { value, low: value, high: value };
  const degrees = (x + y) ** 2 / (x ** 2 / a.degrees + y ** 2 / b.degrees);
  const off = halfWidth(degrees, confidence) * Math.sqrt(x + y);
  return { value, low: value - off, high: value + off };
}

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
  const { mean: value, variance } = meanAndVariance(ratios);
  const off = halfWidth(degrees, confidence) *
    Math.sqrt(variance * factor / length);
  return { value, low: value - off, high: value + off };
}
