import {
  type IterationCounts,
  NO_ITERATIONS,
} from "../../model/result/totals.ts";
import { sum, sumFields } from "../../base/values/sum.ts";
import { FineBuckets } from "../histograms/fine_buckets.ts";
import type { Progress } from "./recorder.ts";

/** How far a run is, all threads together. */
export interface RunProgress {
  readonly elapsedMs: number;
  /** Of the planned time or iterations; undefined when neither is known. */
  readonly share: number | undefined;
  readonly iterations: IterationCounts;
  readonly requests: number;
  /** Attempts in the last whole second; undefined until there is one. */
  readonly perSecond: number | undefined;
  /** Of the last whole second; 0 without samples. */
  readonly p95Ms: number;
  /** The most at once in the last whole second; until there is one, now. */
  readonly vus: number;
  /** How late the latest request slot of the last second was handed out. */
  readonly lateMs: number;
}

/** Puts the progress of several threads together, of none of them too. */
export function mergeProgress(
  parts: readonly Progress[],
  elapsedMs: number,
  share: number | undefined,
): RunProgress {
  const fine = new FineBuckets();
  const seconds = parts.flatMap(({ second }) => second ?? []);
  for (const { buckets } of seconds) fine.add(buckets);
  return {
    elapsedMs,
    share,
    iterations: sumFields([
      NO_ITERATIONS,
      ...parts.map((part) => part.iterations),
    ]),
    requests: sum(parts, (part) => part.requests),
    perSecond: seconds.length === 0 ? undefined : sum(
      seconds,
      ({ passed, throttled, failed }) => passed + throttled + failed,
    ),
    p95Ms: fine.percentile(95),
    lateMs: Math.max(0, ...parts.map((part) => part.lateMs ?? 0)),
    vus: sum(parts, (part) => part.second?.vus ?? underWay(part)),
  };
}

function underWay({ iterations }: Progress): number {
  const { started, completed, interrupted } = iterations;
  return started - completed - interrupted;
}
