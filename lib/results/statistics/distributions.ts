// One namespace of functions without types of its own.
import jstat from "jstat";

interface Distributions {
  readonly studentt: { inv(p: number, degrees: number): number };
  readonly beta: { inv(p: number, alpha: number, beta: number): number };
  readonly normal: { inv(p: number, mean: number, deviation: number): number };
}

const { studentt, beta, normal } = jstat as Distributions;

/** Above it Student's distribution is the normal one to four digits. */
const MANY_DEGREES = 10_000;

/** The value that a standard normal variable exceeds with probability `1 - p`. */
export function normalQuantile(p: number): number {
  return normal.inv(p, 0, 1);
}

/** Likewise for Student's distribution; `degrees` may be a fraction. */
export function studentQuantile(p: number, degrees: number): number {
  return degrees > MANY_DEGREES ? normalQuantile(p) : studentt.inv(p, degrees);
}

/** Bounds of a share that was seen among so many independent samples (Jeffreys). */
export function shareBounds(
  share: number,
  samples: number,
  confidence: number,
): { readonly low: number; readonly high: number } {
  const tail = (1 - confidence) / 2;
  const at = (p: number) =>
    beta.inv(p, samples * share + 0.5, samples * (1 - share) + 0.5);
  return { low: at(tail), high: at(1 - tail) };
}

/** Where tails are read; further out they are stretched as normal ones. */
export const TAIL = 0.025;

/** By how much further out than `TAIL` a normal distribution's tail of `confidence` lies. */
export function normalStretch(confidence: number): number {
  return normalQuantile((1 + confidence) / 2) / normalQuantile(1 - TAIL);
}

/**
 * Half the width of an interval in standard errors. Few degrees of freedom say
 * nothing about far tails, so these are those of 95 %, stretched.
 */
export function halfWidth(degrees: number, confidence: number): number {
  return studentQuantile(1 - TAIL, degrees) * normalStretch(confidence);
}

/**
 * By how much an interval is wider because a share of its variance is estimated:
 * that part goes by Student's distribution.
 */
export function estimatedWidth(
  share: number,
  degrees: number,
  confidence: number,
): number {
  const upper = (1 + confidence) / 2;
  const normal = normalQuantile(upper);
  const student = studentQuantile(upper, degrees);
  return 1 + share * (student / normal - 1);
}
