import type { LatencySummary, StepSummary } from "../../model/result/run.ts";
import type { Distribution, StepTotals } from "../../model/result/totals.ts";
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

/** No sample at all. */
export const NO_LATENCY: LatencySummary = {
  min: null,
  avg: null,
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  max: null,
};

/** One step of `meta.json`. */
export function stepSummary(
  step: { readonly id: string; readonly kind: string },
  totals: StepTotals,
): StepSummary {
  const { executions, requests, passed, throttled, failed } = totals;
  return {
    id: step.id,
    kind: step.kind,
    executions,
    requests,
    passed,
    throttled,
    failed,
    attempts: totals.attempts,
    bytes_sent: totals.bytesSent,
    bytes_received: totals.bytesReceived,
    latency: latencySummary(totals.latencies.response),
    throttled_latency: latencySummary(totals.latencies.throttled),
  };
}
