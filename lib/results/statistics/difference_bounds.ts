import { sum } from "../../base/values/sum.ts";
import { estimatedWidth, normalStretch, TAIL } from "./distributions.ts";
import type { Replicated } from "./replicated.ts";

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
