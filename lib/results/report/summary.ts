import type { ContractFacts } from "../../model/result/contract.ts";
import type { Finding } from "../../model/result/findings.ts";
import type { Threshold } from "../../language/ir.ts";
import type { Mode, RunSteps } from "../../model/mode.ts";
import {
  NO_LATENCY,
  type RunMeta,
  type RunStatus,
  type StopSignal,
  type ThresholdVerdict,
} from "../../model/result/run.ts";
import { NO_ITERATIONS, type RunTotals } from "../../model/result/totals.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import { toThousandths } from "../../base/values/numbers.ts";
import { sum } from "../../base/values/sum.ts";
import {
  countedMeta,
  countsOf,
  type Locate,
  type RunIntervals,
  TOP_FAILURES,
} from "./counted.ts";
import { exitCode } from "./exit_code.ts";
import { plural } from "./figures.ts";
import { reasonFor } from "./reason.ts";
import { effectiveThresholds, emptyLoad, judge } from "./thresholds.ts";

/** The facts of a run before it starts. */
export interface RunFacts {
  readonly id: string;
  readonly flow: string;
  readonly flowFile: string;
  readonly irSha256: string;
  readonly target: string;
  /** From the folder of the flow file; absent when there was no file. */
  readonly targetFile?: string;
  /** Of the flow file; absent without any. */
  readonly tags?: readonly string[];
  readonly mode: Mode;
  readonly seed: number;
  /** Planned peak. */
  readonly vus: number;
  readonly benchVersion: string;
  /** The start of what is measured, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly steps: readonly (RunSteps["steps"][number] & {
    readonly kind: string;
  })[];
  /** Options that changed how it is driven. */
  readonly options?: RunMeta["options"] & object;
  /** The description that responses are held against, and its operations. */
  readonly contract?: ContractFacts;
  /** As declared. */
  readonly thresholds?: readonly Threshold[];
}

/** How the run ended, beside what it counted: as `meta.json` has it, and what that is made of. */
export interface RunEnding extends
  Partial<
    Pick<
      RunMeta,
      | "abort_reason"
      | "offered_requests"
      | "generator"
      | "shards"
      | "warm_up"
      | "agent_attached"
      | "knee"
      | "setup"
      | "teardown"
      | "drift"
      | "notes"
    >
  > {
  readonly status: Exclude<RunStatus, "running">;
  readonly durationMs: number;
  readonly signal?: StopSignal;
  /** How sure its percentiles are; unsaid of a run that makes no load. */
  readonly intervals?: RunIntervals;
  /** Finds what stands out in what the run came out at; of a load run. */
  readonly find?: (meta: RunMeta) => Finding[];
}

/** `meta.json` of a run that is going on. */
export function runningMeta(facts: RunFacts): RunMeta {
  return {
    schema: RUN_SCHEMA,
    id: facts.id,
    flow: facts.flow,
    flow_file: facts.flowFile,
    ...(facts.tags && { tags: [...facts.tags] }),
    ir_sha256: facts.irSha256,
    target: facts.target,
    ...(facts.targetFile !== undefined && { target_file: facts.targetFile }),
    mode: facts.mode,
    seed: facts.seed,
    vus: facts.vus,
    ...(facts.options && { options: facts.options }),
    bench_version: facts.benchVersion,
    status: "running",
    verdict: null,
    exit_code: null,
    abort_reason: null,
    started_at: new Date(facts.startedAt).toISOString(),
    ended_at: null,
    duration_ms: 0,
    ...countsOf(NO_ITERATIONS, 0),
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
 * `meta.json` of a run that goes on: what was counted so far.
 *
 * @param totals with failures that hold no secrets any more
 */
export function progressMeta(
  facts: RunFacts,
  totals: RunTotals,
  durationMs: number,
  locate: Locate,
): RunMeta {
  return {
    ...runningMeta(facts),
    duration_ms: Math.round(durationMs),
    ...countedMeta(facts, totals, locate),
    // One without samples so far may still hold.
    thresholds: thresholdsAt(facts, totals, durationMs, locate)
      .filter(({ samples }) => samples > 0),
  };
}

/** Every threshold as it stands after so much of the run. */
function thresholdsAt(
  facts: RunFacts,
  totals: RunTotals,
  durationMs: number,
  locate: Locate,
): ThresholdVerdict[] {
  const thresholds = effectiveThresholds(facts.mode, facts.thresholds);
  return judge(thresholds, totals, facts, durationMs)
    .map((each, index) =>
      each.implied
        ? each
        : { ...each, ...locate(`/profile/thresholds/${index}`) }
    );
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
  const { durationMs, signal, intervals, find, ...stored } = ending;
  const { status, setup, teardown, notes = [] } = stored;
  const begun = (setup?.outcome ?? "passed") === "passed";
  const thresholds = begun
    ? thresholdsAt(facts, totals, durationMs, locate)
    : [];
  const empty = !begun ? undefined : emptyLoad({
    mode: facts.mode,
    iterations: totals.iterations,
    requests: totals.requests,
    thresholds,
  });
  const broke = status === "aborted" || status === "errored" || !begun ||
    (teardown?.outcome ?? "passed") !== "passed";
  const counted = countedMeta(facts, totals, locate, intervals);
  const held = !broke && thresholds.every((each) => each.pass) &&
    empty === undefined && !breaksContract(counted);
  const verdict = held ? "pass" : "fail";
  const meta: RunMeta = {
    ...runningMeta(facts),
    verdict,
    exit_code: exitCode({ signal, errored: status === "errored", verdict }),
    ...endOf(facts, durationMs),
    ...counted,
    ...stored,
    thresholds,
    // Without an iteration it shows nothing but the start of the program.
    generator: totals.iterations.started > 0 ? stored.generator ?? null : null,
    notes: [...notes, ...ownNotes(totals, empty), ...contractNotes(counted)],
  };
  const reason = reasonFor(meta);
  const judged = reason ? { ...meta, reason } : meta;
  return find ? { ...judged, findings: find(judged) } : judged;
}

function breaksContract({ contract }: Partial<RunMeta>): boolean {
  return contract?.contract === "fail" && contract.violations.length > 0;
}

function contractNotes(counted: Partial<RunMeta>): string[] {
  return breaksContract(counted)
    ? [
      "a response is not as described: a run fails by that, unless it has --contract warn",
    ]
    : [];
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

function ownNotes(totals: RunTotals, empty: string | undefined): string[] {
  const notes = empty === undefined
    ? []
    : [`${empty}: a load run without one fails`];
  const { interrupted } = totals.iterations;
  if (interrupted > 0) {
    const count = plural(interrupted, "iteration");
    notes.push(`${count} stopped before the end; counted in no rate`);
  }
  const unnamed = totals.otherFailures +
    sum(totals.failures.slice(TOP_FAILURES), ({ count }) => count);
  if (unnamed > 0) {
    notes.push(`${plural(unnamed, "more failure")} of other causes`);
  }
  return notes;
}
