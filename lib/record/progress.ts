import type { IterationCounts } from "../result/totals.ts";
import { FineBuckets } from "./fine_buckets.ts";
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
  const sum = (pick: (part: Progress) => number) =>
    parts.reduce((total, part) => total + pick(part), 0);
  const fine = new FineBuckets();
  for (const { second } of parts) if (second) fine.add(second.buckets);
  return {
    elapsedMs,
    share,
    iterations: {
      started: sum((part) => part.started),
      completed: sum((part) => part.completed),
      passed: sum((part) => part.passed),
      failed: sum((part) => part.failed),
      throttled: sum((part) => part.throttled),
      interrupted: sum((part) => part.interrupted),
    },
    requests: sum((part) => part.requests),
    perSecond: sum(({ second }) =>
      second ? second.passed + second.throttled + second.failed : 0
    ),
    p95Ms: fine.percentile(95),
    vus: sum(({ second }) => second?.vus ?? 0),
  };
}
