import { failureKey, openMessage } from "../../model/result/failure.ts";
import type {
  LatencyIntervals,
  StepPhase,
  StepPhases,
} from "../../model/result/latency.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import {
  type FailureGroup,
  LATENCY_FIGURES,
  type LatencyFigure,
  type LatencySummary,
  NO_LATENCY,
  type RowSummary,
  type RunMeta,
  type StepSummary,
} from "../../model/result/run.ts";
import type {
  CountedFailure,
  CountedRow,
  Distribution,
  IterationCounts,
  RunTotals,
} from "../../model/result/totals.ts";
import { statistic } from "../../model/metrics.ts";
import { noIntervals } from "./sample_sizes.ts";
import { leastSamples } from "../statistics/sample_floor.ts";
import { toThousandths } from "../../base/values/numbers.ts";

/** Where the part of the IR at a JSON Pointer was written. */
export type Locate = (pointer: string) =>
  | { readonly file: string; readonly line: number; readonly column: number }
  | undefined;

/** Of the run, and by step index. */
export interface RunIntervals {
  readonly overall: LatencyIntervals;
  readonly steps: readonly LatencyIntervals[];
}

/** The facts of a run before it starts, as far as its counts need them. */
interface CountedFacts {
  readonly mode: Mode;
  readonly steps: readonly { readonly id: string; readonly kind: string }[];
}

/** Causes named in `meta.json`; the most frequent ones. */
const TOP_FAILURES = 50;

/**
 * The counts of a run, as `meta.json` has them.
 *
 * @param totals with failures that hold no secrets any more
 * @param intervals unsaid of a run that goes on, or makes no load
 */
export function countedMeta(
  { mode, steps }: CountedFacts,
  totals: RunTotals,
  locate: Locate,
  intervals?: RunIntervals,
): Partial<RunMeta> {
  const { iterations, requests, latencies: { response }, failures } = totals;
  return {
    ...countsOf(iterations, requests),
    latency: latencySummary(response),
    latency_intervals: intervals?.overall ?? noIntervals(response.count),
    steps: steps.map((step, index) =>
      stepSummary(step, totals.steps[index]!, intervals?.steps[index])
    ),
    failures: failures.slice(0, TOP_FAILURES)
      .map((each) => failureGroup(each, locate)),
    ...rowSummaries(mode, totals, locate),
  };
}

/** The counts of a run so far, as `meta.json` has them. */
export function countsOf(
  { interrupted: _, ...iterations }: IterationCounts,
  requests: number,
): Pick<RunMeta, "iterations" | "requests" | "error_rate" | "throttle_rate"> {
  const { completed, failed, throttled } = iterations;
  return {
    iterations,
    requests,
    error_rate: completed === 0 ? 0 : failed / completed,
    throttle_rate: completed === 0 ? 0 : throttled / completed,
  };
}

/** A failure as `meta.json` has it. */
export function failureGroup(
  failure: CountedFailure,
  locate: Locate,
): FailureGroup {
  const { pointer, check: _, iteration: __, varies, ...stored } = failure;
  return {
    ...stored,
    key: failureKey(failure.step, failure),
    ...(varies && { message: openMessage(failure) }),
    ...locate(pointer),
  };
}

/** A row as `meta.json` and `rows.json` have it. */
export function rowSummary(row: CountedRow, locate: Locate): RowSummary {
  return {
    ...row,
    failures: row.failures.map((each) => failureGroup(each, locate)),
  };
}

function rowSummaries(
  mode: Mode,
  { rows, otherRows }: RunTotals,
  locate: Locate,
): { rows?: RowSummary[]; other_rows?: number } {
  if (!isFunctional(mode)) return {};
  return {
    rows: rows.map((row) => rowSummary(row, locate)),
    ...(otherRows > 0 && { other_rows: otherRows }),
  };
}

/** Some figures of a latency, in milliseconds to the microsecond. */
function figuresOf<Name extends LatencyFigure>(
  latency: Distribution,
  names: readonly Name[],
): Record<Name, number> {
  return Object.fromEntries(
    names.map((name) => [name, toThousandths(statistic(latency, name))]),
  ) as Record<Name, number>;
}

function latencySummary(latency: Distribution): LatencySummary {
  if (latency.count === 0) return NO_LATENCY;
  const names: readonly LatencyFigure[] = LATENCY_FIGURES;
  return figuresOf(
    latency,
    latency.count >= leastSamples(99.9)
      ? names.toSpliced(-1, 0, "p99.9")
      : names,
  );
}

/** Quantiles of each phase there was. */
function phaseSummaries(
  phases: Readonly<Partial<Record<StepPhase, Distribution>>>,
): StepPhases {
  return Object.fromEntries(
    Object.entries(phases).map(([name, phase]) => [name, {
      count: phase.count,
      ...figuresOf(phase, ["avg", "p50", "p95", "p99", "max"]),
    }]),
  );
}

/** One step of `meta.json`. */
function stepSummary(
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
