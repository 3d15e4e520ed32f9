import {
  type LatencySummary,
  NO_LATENCY,
  type StepSummary,
} from "../../model/result/run.ts";
import type { Distribution, RunTotals } from "../../model/result/totals.ts";
import { toThousandths } from "../../base/values/decimals.ts";

/** The latency figures of `meta.json`, in milliseconds to the microsecond. */
export function latencySummary(latency: Distribution): LatencySummary {
  if (latency.count === 0) return NO_LATENCY;
  const at = (p: number) => toThousandths(latency.percentile(p));
  return {
    min: toThousandths(latency.min),
    avg: toThousandths(latency.avg),
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: toThousandths(latency.max),
  };
}

/** One step of `meta.json`. */
export function stepSummary(
  { id, kind }: { readonly id: string; readonly kind: string },
  { latencies, ...counts }: RunTotals["steps"][number],
): StepSummary {
  return {
    id,
    kind,
    ...counts,
    latency: latencySummary(latencies.response),
    throttled_latency: latencySummary(latencies.throttled),
  };
}
