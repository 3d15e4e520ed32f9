import {
  type LatencySummary,
  NO_LATENCY,
  type StepSummary,
} from "../../model/result/run.ts";
import type { LatencyIntervals } from "../../model/result/latency_intervals.ts";
import {
  STEP_PHASES,
  type StepPhase,
  type StepPhases,
} from "../../model/result/step_phases.ts";
import type { Distribution, RunTotals } from "../../model/result/totals.ts";
import { leastSamples } from "../statistics/sample_floor.ts";
import { noIntervals } from "./sample_sizes.ts";
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
    ...(latency.count >= leastSamples(99.9) && { "p99.9": at(99.9) }),
    max: toThousandths(latency.max),
  };
}

/** Quantiles of each phase there was. */
function phaseSummaries(
  phases: Readonly<Partial<Record<StepPhase, Distribution>>>,
): StepPhases {
  const known = STEP_PHASES.flatMap((name) => {
    const phase = phases[name];
    return phase ? [[name, phaseSummary(phase)] as const] : [];
  });
  return Object.fromEntries(known);
}

function phaseSummary(phase: Distribution) {
  const at = (p: number) => toThousandths(phase.percentile(p));
  return {
    count: phase.count,
    avg: toThousandths(phase.avg),
    p50: at(50),
    p95: at(95),
    p99: at(99),
    max: toThousandths(phase.max),
  };
}

/** One step of `meta.json`. */
export function stepSummary(
  { id, kind }: { readonly id: string; readonly kind: string },
  { latencies, phases, ...counts }: RunTotals["steps"][number],
  intervals: LatencyIntervals | undefined,
): StepSummary {
  return {
    id,
    kind,
    ...counts,
    latency: latencySummary(latencies.response),
    latency_intervals: intervals ?? noIntervals(latencies.response.count),
    ...(phases && { phases: phaseSummaries(phases) }),
    throttled_latency: latencySummary(latencies.throttled),
  };
}
