import { failureKey, openMessage } from "../../model/result/failure_key.ts";
import type { LatencyIntervals } from "../../model/result/latency_intervals.ts";
import type { Threshold } from "../../language/ir.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import {
  type FailureGroup,
  type GeneratorHealth,
  type Knee,
  NO_LATENCY,
  type RowSummary,
  type RunMeta,
  type RunStatus,
  type StopSignal,
} from "../../model/result/run.ts";
import type {
  CountedFailure,
  IterationCounts,
  RunTotals,
} from "../../model/result/totals.ts";
import { RUN_SCHEMA } from "../../model/result/schema_number.ts";
import { toThousandths } from "../../base/values/decimals.ts";
import { exitCode } from "./exit_code.ts";
import { plural } from "./figures.ts";
import { latencySummary, stepSummary } from "./step_summary.ts";
import { noIntervals } from "./sample_sizes.ts";
import { effectiveThresholds, judge } from "./thresholds.ts";

/** What is known of a run before it starts. */
export interface RunFacts {
  readonly id: string;
  readonly flow: string;
  readonly flowFile: string;
  readonly irSha256: string;
  readonly target: string;
  readonly mode: Mode;
  readonly seed: number;
  /** Planned peak. */
  readonly vus: number;
  readonly benchVersion: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly steps: readonly { readonly id: string; readonly kind: string }[];
  /** As declared. */
  readonly thresholds?: readonly Threshold[];
}

/** Of the run, and by step index. */
export interface RunIntervals {
  readonly overall: LatencyIntervals;
  readonly steps: readonly LatencyIntervals[];
}

/** How the run ended, beside what it counted. */
export interface RunEnding {
  readonly status: Exclude<RunStatus, "running">;
  readonly durationMs: number;
  readonly signal?: StopSignal;
  readonly abortReason?: string;
  readonly generator?: GeneratorHealth;
  readonly agentAttached: boolean;
  /** How sure its percentiles are; unsaid of a run that makes no load. */
  readonly intervals?: RunIntervals;
  readonly knee?: Knee | null;
  readonly notes?: readonly string[];
}

/** Where the part of the IR at a JSON Pointer was written. */
export type Locate = (pointer: string) =>
  | { readonly file: string; readonly line: number; readonly column: number }
  | undefined;

/** Causes named in `meta.json`; the most frequent ones. */
const TOP_FAILURES = 50;

/** `meta.json` of a run that is going on. */
export function runningMeta(facts: RunFacts): RunMeta {
  return {
    ...identity(facts),
    status: "running",
    verdict: null,
    exit_code: null,
    abort_reason: null,
    started_at: new Date(facts.startedAt).toISOString(),
    ended_at: null,
    duration_ms: 0,
    iterations: {
      started: 0,
      completed: 0,
      passed: 0,
      failed: 0,
      throttled: 0,
    },
    requests: 0,
    error_rate: 0,
    throttle_rate: 0,
    latency: NO_LATENCY,
    thresholds: [],
    steps: [],
    generator: null,
    agent_attached: false,
    knee: null,
    failures: [],
    notes: [],
  };
}

/**
 * `meta.json` of a run that ended: what every output shows.
 *
 * @param totals with failures that hold no secrets any more
 */
export function summarise(
  facts: RunFacts,
  totals: RunTotals,
  ending: RunEnding,
  locate: Locate,
): RunMeta {
  const thresholds = judge(
    effectiveThresholds(facts.mode, facts.thresholds),
    totals,
  );
  const broke = ending.status === "aborted" || ending.status === "errored";
  const held = !broke && thresholds.every((each) => each.pass) &&
    (totals.iterations.completed > 0 || isFunctional(facts.mode));
  const verdict = held ? "pass" : "fail";
  const failure = (each: CountedFailure) => failureGroup(each, locate);
  return {
    ...runningMeta(facts),
    status: ending.status,
    verdict,
    exit_code: exitCode({
      signal: ending.signal,
      errored: ending.status === "errored",
      verdict,
    }),
    abort_reason: ending.abortReason ?? null,
    ...endOf(facts, ending.durationMs),
    ...countsOf(totals.iterations, totals.requests),
    latency: latencySummary(totals.latencies.response),
    latency_intervals: ending.intervals?.overall ??
      noIntervals(totals.latencies.response.count),
    thresholds,
    steps: facts.steps.map((step, index) =>
      stepSummary(step, totals.steps[index]!, ending.intervals?.steps[index])
    ),
    generator: ending.generator ?? null,
    agent_attached: ending.agentAttached,
    knee: ending.knee ?? null,
    failures: totals.failures.slice(0, TOP_FAILURES).map(failure),
    ...rowSummaries(facts.mode, totals, failure),
    notes: [...(ending.notes ?? []), ...ownNotes(facts, totals)],
  };
}

/**
 * When a run ended. Derived, because the clock on the wall may be set while it
 * goes on, and no run ends before it started.
 */
export function endOf(
  { startedAt }: RunFacts,
  durationMs: number,
): Pick<RunMeta, "ended_at" | "duration_ms"> {
  return {
    ended_at: new Date(startedAt + Math.round(durationMs)).toISOString(),
    duration_ms: toThousandths(durationMs),
  };
}

/** What a run counted so far, as `meta.json` has it. */
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

function identity(facts: RunFacts) {
  return {
    schema: RUN_SCHEMA,
    id: facts.id,
    flow: facts.flow,
    flow_file: facts.flowFile,
    ir_sha256: facts.irSha256,
    target: facts.target,
    mode: facts.mode,
    seed: facts.seed,
    vus: facts.vus,
    bench_version: facts.benchVersion,
  };
}

function failureGroup(
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

function rowSummaries(
  mode: Mode,
  { rows, otherRows }: RunTotals,
  group: (failure: CountedFailure) => FailureGroup,
): { rows?: RowSummary[]; other_rows?: number } {
  if (!isFunctional(mode)) return {};
  return {
    rows: rows.map((row) => ({ ...row, failures: row.failures.map(group) })),
    ...(otherRows > 0 && { other_rows: otherRows }),
  };
}

/** Such a run shows nothing of the target. */
const NOTHING_DONE = "no iteration was completed: a load run without one fails";

function ownNotes(facts: RunFacts, totals: RunTotals): string[] {
  const notes: string[] = [];
  const { completed, failed } = totals.iterations;
  if (completed === 0 && !isFunctional(facts.mode)) notes.push(NOTHING_DONE);
  const judged = effectiveThresholds(facts.mode, facts.thresholds)
    .some(({ metric }) => metric === "error_rate");
  if (completed > 0 && failed === completed && !judged) {
    notes.push(
      "every iteration failed, and no threshold judges that: add `error_rate < 1%`",
    );
  }
  const { interrupted } = totals.iterations;
  if (interrupted > 0) {
    const count = plural(interrupted, "iteration");
    notes.push(`${count} stopped before the end; counted in no rate`);
  }
  if (totals.otherFailures > 0) {
    notes.push(`${totals.otherFailures} more failures of other causes`);
  }
  return notes;
}
