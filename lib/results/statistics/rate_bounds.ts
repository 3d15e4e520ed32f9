import { sum } from "../../base/values/sum.ts";
import { designOf, longRun } from "./long_run.ts";
import type { DifferenceBounds } from "./difference_bounds.ts";
import { estimatedWidth, shareBounds } from "./distributions.ts";

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
