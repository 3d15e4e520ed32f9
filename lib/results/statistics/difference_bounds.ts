import { sum } from "../../base/values/sum.ts";
import {
  estimatedWidth,
  halfWidth,
  normalStretch,
  shareBounds,
  TAIL,
} from "./distributions.ts";
import type { LatencyGroups } from "./latency_groups.ts";
import {
  designOf,
  type LongRun,
  longRun,
  meanAndVariance,
} from "./long_run.ts";
import type { Replicated } from "./replicated.ts";

/** A share of something, and between which bounds the true one lies. */
interface RateBounds {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Bounds of the share of iterations that failed, or were throttled: those of a
 * binomial share (Jeffreys), of as many independent iterations as say as much as
 * these do. Failures come in bursts.
 *
 * @param hits by second
 * @param of likewise, how many there were
 * @returns undefined when there were none at all
 */
export function rateBounds(
  hits: readonly number[],
  of: readonly number[],
  confidence: number,
): RateBounds | undefined {
  const total = sum(of, (each) => each);
  if (total === 0) return;
  const rate = sum(hits, (each) => each) / total;
  const excess = hits.map((each, i) => each - rate * of[i]!);
  const chance = rate * (1 - rate) * total / of.length;
  const run = longRun(excess, chance);
  const variance = sum(excess, (each) => each * each) /
    Math.max(1, of.length - 1);
  const between = Math.max(0, variance - chance) * run.factor;
  const { effect, share } = designOf(chance, between);
  const n = total / effect /
    estimatedWidth(share, run.degrees, confidence) ** 2;
  const { low, high } = shareBounds(rate, n, confidence);
  return {
    rate,
    low: rate === 0 ? 0 : Math.min(rate, low),
    high: rate === 1 ? 1 : Math.max(rate, high),
  };
}

/** By how much `b` is more than `a` (MOVER: Donner and Zou, 2002). */
export function rateDifference(a: RateBounds, b: RateBounds): DifferenceBounds {
  const value = b.rate - a.rate;
  return {
    value,
    low: value - Math.hypot(b.rate - b.low, a.high - a.rate),
    high: value + Math.hypot(b.high - b.rate, a.rate - a.low),
  };
}

/** A difference, and between which bounds the true one lies. */
export interface DifferenceBounds {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * By how much `b` is more than `a`. Of logarithms, which makes a ratio of it.
 * Replicates that were drawn at the same seconds are paired: what both had in
 * common then cancels out.
 *
 * @param confidence with which the true difference lies between the bounds
 */
export function differenceBounds(
  a: Replicated,
  b: Replicated,
  confidence: number,
): DifferenceBounds {
  const away = b.away.map((each, i) => each - a.away[i]!);
  // A thousand replicates do not show one in a thousand, and neither do few
  // degrees of freedom: the tails that they show are stretched as a normal
  // distribution's would be.
  const wider = widthOf(a, b, 1 - 2 * TAIL) * normalStretch(confidence);
  const sorted = away.map((each) => each * wider).sort((x, y) => x - y);
  const value = b.value - a.value;
  return {
    value,
    low: value + quantile(sorted, TAIL),
    high: value + quantile(sorted, 1 - TAIL),
  };
}

/** Degrees of freedom as Welch and Satterthwaite put them together. */
function widthOf(a: Replicated, b: Replicated, confidence: number): number {
  const [x, y] = [a, b].map(({ away, share, degrees }) => {
    const variance = sum(away, (each) => each * each) / away.length;
    return { all: variance, estimated: variance * share, degrees };
  });
  const all = x!.all + y!.all;
  const estimated = x!.estimated + y!.estimated;
  if (estimated === 0) return 1;
  const degrees = estimated ** 2 /
    (x!.estimated ** 2 / x!.degrees + y!.estimated ** 2 / y!.degrees);
  return estimatedWidth(estimated / all, degrees, confidence);
}

/** Of sorted values, between neighbours. */
function quantile(sorted: readonly number[], p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!);
}

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
