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

/** Likewise for the beta distribution. */
export function betaQuantile(p: number, alpha: number, beta_: number): number {
  return beta.inv(p, alpha, beta_);
}
