import type { IterationCounts } from "../../model/result/totals.ts";
import { sum } from "../../base/values/sum.ts";

/** The iterations of several recorders, put together. */
export function sumIterations(
  parts: readonly IterationCounts[],
): IterationCounts {
  return {
    started: sum(parts, (part) => part.started),
    completed: sum(parts, (part) => part.completed),
    passed: sum(parts, (part) => part.passed),
    failed: sum(parts, (part) => part.failed),
    throttled: sum(parts, (part) => part.throttled),
    interrupted: sum(parts, (part) => part.interrupted),
  };
}
