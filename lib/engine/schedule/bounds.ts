import type { SharedCounter } from "../data/counter.ts";

/** Numbers iterations across all threads, and ends at the bound. */
export interface IterationBound {
  /** The next 0-based iteration; undefined when the bound is met. */
  take(): number | undefined;
}

/**
 * Hands out iteration numbers from a counter every thread shares, so that
 * `iterations: N` is met exactly, whichever thread runs them.
 */
export function iterationBound(
  counter: SharedCounter,
  limit: number | undefined,
): IterationBound {
  if (limit === undefined) return { take: () => counter.take() };
  return {
    take() {
      // Looked at first, so that the counter never runs far past the bound.
      if (counter.taken() >= limit) return undefined;
      const number = counter.take();
      return number < limit ? number : undefined;
    },
  };
}
