import type { IterationCounts } from "../result/totals.ts";
import { sum } from "../values/sum.ts";
import { FineBuckets } from "./fine_buckets.ts";
import { sumIterations } from "./iteration_counts.ts";
import type { Progress } from "./recorder.ts";

/** How far a run is, all threads together. */
export interface RunProgress {
  readonly elapsedMs: number;
  /** Of the planned time or iterations; undefined when neither is known. */
  readonly share: number | undefined;
  readonly iterations: IterationCounts;
  readonly requests: number;
  /** Attempts in the last whole second. */
  readonly perSecond: number;
  /** Of the last whole second; 0 without samples. */
  readonly p95Ms: number;
  readonly vus: number;
}

/** Puts the progress of several threads together. */
export function mergeProgress(
  parts: readonly Progress[],
  elapsedMs: number,
  share: number | undefined,
): RunProgress {
  const fine = new FineBuckets();
  for (const { second } of parts) if (second) fine.add(second.buckets);
  return {
    elapsedMs,
    share,
    iterations: sumIterations(parts),
    requests: sum(parts, (part) => part.requests),
    perSecond: sum(
      parts,
      ({ second }) =>
        second ? second.passed + second.throttled + second.failed : 0,
    ),
    p95Ms: fine.percentile(95),
    vus: sum(parts, ({ second }) => second?.vus ?? 0),
  };
}
