import { failureKey, openMessage } from "../../model/result/failure.ts";
import type {
  LatencyIntervals,
  StepPhase,
  StepPhases,
} from "../../model/result/latency.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import {
  type FailureGroup,
  type FlowSummary,
  LATENCY_FIGURES,
  type LatencyFigure,
  type LatencySummary,
  NO_LATENCY,
  type RowSummary,
  type RunMeta,
  type StepSummary,
} from "../../model/result/run.ts";
import type {
  CountedContract,
  CountedFailure,
  CountedRow,
  FlowCounts,
  IterationCounts,
  RunTotals,
} from "../../model/result/totals.ts";
import { type Distribution, statistic } from "../../model/metrics.ts";
import type {
  ContractFacts,
  ContractSummary,
} from "../../model/result/contract.ts";
import { sum } from "../../base/values/sum.ts";
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
  readonly contract?: ContractFacts;
  readonly mode: Mode;
  readonly steps: readonly { readonly id: string; readonly kind: string }[];
}

/** Causes named in `meta.json`; the most frequent ones. */
export const TOP_FAILURES = 50;

/**
 * The counts of a run, as `meta.json` has them.
 *
 * @param totals with failures that hold no secrets any more
 * @param intervals unsaid of a run that goes on, or makes no load
 */
export function countedMeta(
  { mode, steps, contract }: CountedFacts,
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
    ...(totals.flows && { flows: totals.flows.map(flowSummary) }),
    failures: failures.slice(0, TOP_FAILURES)
      .map((each) => failureGroup(each, locate)),
    ...(contract && {
      contract: contractSummary(contract, totals.contract, steps),
    }),
    ...rowSummaries(mode, totals, locate),
  };
}

/** The counts of a run so far, as `meta.json` has them. */
export function countsOf(
  { interrupted: _, ...iterations }: IterationCounts,
  requests: number,
): Pick<RunMeta, "iterations" | "requests" | "error_rate" | "throttle_rate"> {
  return { iterations, requests, ...ratesOf(iterations) };
}

function ratesOf(
  { completed, failed, throttled }: FlowCounts,
): Pick<RunMeta, "error_rate" | "throttle_rate"> {
  return {
    error_rate: completed === 0 ? 0 : failed / completed,
    throttle_rate: completed === 0 ? 0 : throttled / completed,
  };
}

/** Actual values of a failure group that `meta.json` names. */
const TOP_VALUES = 5;

/** A failure as `meta.json` has it. */
export function failureGroup(
  failure: CountedFailure,
  locate: Locate,
): FailureGroup {
  const { pointer, check: _, iteration: __, varies, values = [], ...stored } =
    failure;
  const frequent = values.filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count).slice(0, TOP_VALUES);
  return {
    ...stored,
    ...(values.length > 1 && frequent.length > 0 && { values: frequent }),
    key: failureKey(failure.step, failure),
    ...(varies && { message: openMessage(failure) }),
    ...locate(pointer),
  };
}

/** Violations named in `meta.json`; the most frequent ones. */
const TOP_VIOLATIONS = 50;

const NO_RESPONSES: CountedContract = {
  ...{ operations: [], violations: [], undescribed: [] },
  other: 0,
};

function contractSummary(
  { operations: described, once = [], ...how }: ContractFacts,
  counted: CountedContract = NO_RESPONSES,
  steps: CountedFacts["steps"],
): ContractSummary {
  const names = [...steps.map(({ id }) => id), ...once];
  const ids = (indices: readonly number[]) =>
    indices.toSorted((a, b) => a - b).map((index) => names[index]!);
  const reached = new Set(counted.operations.map(({ operation }) => operation));
  const dropped = counted.violations.slice(TOP_VIOLATIONS);
  return {
    ...how,
    operations: counted.operations.toSorted((a, b) =>
      described.indexOf(a.operation) - described.indexOf(b.operation)
    ),
    violations: counted.violations.slice(0, TOP_VIOLATIONS).map((
      { key: _, iteration: __, steps, ...stored },
    ) => ({ ...stored, steps: ids(steps) })),
    other_violations: counted.other +
      sum(dropped, ({ count }) => count),
    unreached: described.filter((each) => !reached.has(each)),
    undescribed: ids(counted.undescribed),
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

/** One flow of `meta.json`. */
function flowSummary(
  { name, weight, iterations, durations, latency }: NonNullable<
    RunTotals["flows"]
  >[number],
): FlowSummary {
  return {
    name,
    weight,
    iterations,
    ...ratesOf(iterations),
    iteration_time: latencySummary(durations),
    latency: latencySummary(latency),
  };
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
