import * as v from "valibot";
import { METRIC_NAMES } from "../metrics.ts";
import { BAD_OUTCOMES, NO_COUNTS, OUTCOME_NAMES } from "../outcome.ts";
import { contractSummary } from "./contract.ts";
import { exchange, failureKey, typedValue } from "./failure.ts";
import { capacity, drift, finding, judgement, reason } from "./findings.ts";
import { latencyIntervals, stepPhases } from "./latency.ts";
import { HTTP_VERSIONS } from "./response.ts";
import { n, object, own, type Stored } from "./stored.ts";

const s = v.string();

/** Failures, or throttles, of one cause at one location. */
export type FailureGroup = Stored<typeof failure>;
const failure = v.pipe(
  object({
    /** Equal for failures of one group; earlier versions wrote none. */
    key: v.exactOptional(s),
    step: own,
    outcome: v.picklist(BAD_OUTCOMES),
    /** Of a throttle: whether it fails its iteration. Earlier versions wrote none. */
    throttle_is_error: v.exactOptional(v.boolean()),
    code: own,
    /** With numbers and ids left open where they differ. */
    message: s,
    count: n,
    /** When the last of them ended, in milliseconds since the start. Earlier versions wrote none. */
    last_ms: v.exactOptional(n),
    /** Where in the flow file, when it has source text. */
    file: v.exactOptional(own),
    line: v.exactOptional(n),
    column: v.exactOptional(n),
    expected: v.exactOptional(typedValue),
    actual: v.exactOptional(typedValue),
    /** Where there were several actual values, those that came more than once. */
    values: v.exactOptional(v.array(object({ text: s, count: n }))),
    /** A trace that shows it, when one was kept. */
    trace_id: v.exactOptional(own),
    /** 0-based fixture row of that trace, and what it is called. */
    row: v.exactOptional(n),
    row_name: v.exactOptional(s),
    /** The last exchange of the step in that trace. Earlier versions stored none. */
    exchange: v.exactOptional(exchange),
  }),
  v.transform(({ key, ...rest }) => ({
    key: key ?? failureKey(rest.step, rest),
    ...rest,
  })),
);

/** One iteration of an integration or system run. */
export type RowSummary = Stored<typeof row>;
export const row = v.pipe(
  object({
    iteration: n,
    /** Of a mix, the flow it is a pass of. */
    flow: v.exactOptional(own),
    /** 0-based fixture row; absent without a fixture. */
    row: v.exactOptional(n),
    /** The row's name: its first cells. */
    row_name: v.exactOptional(s),
    outcome: v.picklist(OUTCOME_NAMES),
    duration_ms: n,
    /** Absent when its trace was not kept. */
    trace_id: v.exactOptional(own),
    /**
     * The failures in it, the cause first: why each step did not pass, and which
     * other checks do not hold. `count` is 1.
     */
    failures: v.exactOptional(v.array(failure)),
    /** How many there are beyond those. */
    other_failures: v.exactOptional(n),
    /** Earlier versions wrote the first one alone. */
    failure: v.exactOptional(failure),
  }),
  v.transform(({ failure, failures, ...rest }) => ({
    ...rest,
    failures: failures ?? (failure ? [failure] : []),
  })),
);

/** The steps of `setup` or `teardown`, which are carried out once a run. */
export type OnceSummary = Stored<typeof once>;
const once = object({
  outcome: v.picklist([...OUTCOME_NAMES, "interrupted"]),
  duration_ms: n,
  requests: n,
  /** Absent where it is not stored. */
  trace_id: v.exactOptional(own),
  steps: v.array(object({
    id: own,
    kind: own,
    /** null when it was not begun. */
    outcome: v.nullable(v.picklist(OUTCOME_NAMES)),
    duration_ms: n,
  })),
  /** Why steps did not pass, the cause first. */
  failures: v.array(failure),
});

const timestamp = v.pipe(s, v.isoTimestamp());

export type RunStatus = RunMeta["status"];
const status = v.picklist([
  "running",
  "finished",
  "aborted",
  "interrupted",
  "errored",
]);

/** Signals that end a run early and leave its results. */
export type { StopSignal } from "../../base/process/signals.ts";

/** The latency figures of `meta.json`. */
export const LATENCY_FIGURES = [
  "min",
  "avg",
  "p50",
  "p90",
  "p95",
  "p99",
  "max",
] as const;

/** A figure of latency; `p99.9` is there only in runs of enough samples. */
export type LatencyFigure = (typeof LATENCY_FIGURES)[number] | "p99.9";

/** Milliseconds; all null when there was no sample. */
export type LatencySummary =
  | Figures<number> & { readonly "p99.9"?: number }
  | Figures<null>;
type Figures<Value> = {
  readonly [Figure in (typeof LATENCY_FIGURES)[number]]: Value;
};

/** No sample at all. */
export const NO_LATENCY = Object.fromEntries(
  LATENCY_FIGURES.map((name) => [name, null]),
) as LatencySummary;

/** Earlier versions wrote zeros where there was no sample. */
const latency = v.pipe(
  object({
    ...v.entriesFromList(LATENCY_FIGURES, v.nullable(n)),
    "p99.9": v.exactOptional(n),
  }),
  v.transform((figures) =>
    figures.max === 0 ? NO_LATENCY : figures as LatencySummary
  ),
);

/** One threshold and how it came out. */
export type ThresholdVerdict = Stored<typeof threshold>;
export const threshold = object({
  /** As in the flow file, normalised: `p95(latency) < 300ms`. */
  expression: own,
  /** The step it is of, or the flow of a mix; the whole run when absent. */
  step: v.exactOptional(own),
  metric: v.picklist(METRIC_NAMES),
  /** Of a latency: `avg`, `min`, `max`, or `p1` to `p100`. */
  stat: v.exactOptional(own),
  operator: v.picklist(["<", "<=", ">", ">="]),
  /** In the unit of `actual`. */
  limit: n,
  /** Milliseconds for latency, a share for rates, bytes a second; null without samples. */
  actual: v.nullable(n),
  pass: v.boolean(),
  /** Latency samples, iterations for a rate, or seconds. */
  samples: n,
  /** Not declared: what the mode requires of a flow that says nothing. */
  implied: v.exactOptional(v.literal(true)),
  /** `step` is a flow of a mix. */
  of_flow: v.exactOptional(v.literal(true)),
  /** Where in the flow file, when it is there. */
  file: v.exactOptional(own),
  line: v.exactOptional(n),
  column: v.exactOptional(n),
});

/**
 * The counts of one step that add up: steps begun; the attempts that were sent,
 * retries and poll rounds included; the final classes, which add up to the steps
 * that ended; bytes.
 */
export const NO_STEP_SUMS = {
  executions: 0,
  requests: 0,
  ...NO_COUNTS,
  bytes_sent: 0,
  bytes_received: 0,
};
export const STEP_SUMS = Object.keys(NO_STEP_SUMS) as StepSum[];
type StepSum = keyof typeof NO_STEP_SUMS;

/** The counts of one step, over the whole run when recorders are put together. */
export type StepCounts = v.InferOutput<typeof stepCounts>;
export const stepCounts = object({
  ...v.entriesFromList(STEP_SUMS, n),
  attempts: object(v.entriesFromList(OUTCOME_NAMES, n)),
  /** Those of them that another one followed. Earlier versions did not count. */
  repeated: v.exactOptional(object(v.entriesFromList(OUTCOME_NAMES, n))),
  /**
   * How often each check held: extractions by their path, assertions as they are
   * written. Earlier versions did not count.
   */
  checks: v.optional(v.array(object({ check: own, passed: n, failed: n })), []),
  /** Versions of HTTP that were used; earlier versions did not store them. */
  http_versions: v.optional(v.array(v.picklist(HTTP_VERSIONS)), []),
});

/** One step over the whole run. */
export type StepSummary = Stored<typeof step>;
const step = object({
  id: own,
  kind: own,
  ...stepCounts.entries,
  /** Passed and failed attempts. */
  latency,
  /** How sure its percentiles are. Earlier versions did not say. */
  latency_intervals: v.exactOptional(latencyIntervals),
  /** The time of its exchanges by phase. Earlier versions did not store it. */
  phases: v.exactOptional(stepPhases),
  /** Throttled attempts, kept apart so that fast 429s cannot flatter p50. */
  throttled_latency: latency,
});

/** One flow of a mix over the whole run. */
export type FlowSummary = Stored<typeof flow>;
const flow = object({
  name: own,
  weight: n,
  iterations: object({ completed: n, passed: n, failed: n, throttled: n }),
  error_rate: n,
  throttle_rate: n,
  /** How long its iterations took. */
  iteration_time: latency,
  /** Passed and failed attempts of its steps. */
  latency,
});

/** How many cores of the generator's machine each had, on average over the run. */
export type CoreUse = Stored<typeof cores>;
const cores = object({
  /** Cores there are. */
  total: n,
  generator: n,
  /** null when it runs elsewhere, or could not be distinguished from the others. */
  target: v.nullable(n),
  others: n,
});

/**
 * How the load generator itself was doing; null in integration and system runs
 * in which nothing was held back. Earlier versions did not measure all of it.
 */
export type GeneratorHealth = Stored<typeof generator>;
/** The measured part of it, before it is judged. */
export type GeneratorFigures = Omit<GeneratorHealth, "limited" | "detail">;
const generator = object({
  cpu_share: n,
  /**
   * Share of the time that its threads were ready to run and waited for a core;
   * null where the system does not report it.
   */
  core_wait_share: v.optional(v.nullable(n), null),
  /** Who had the cores of its machine; null where the system does not report it. */
  cores: v.optional(v.nullable(cores), null),
  loop_lag_p99_ms: n,
  /** How late request slots were handed out; 0 outside the open executor. */
  late_p50_ms: v.optional(n, 0),
  late_p99_ms: v.optional(n, 0),
  /** Slots that were due and never served. */
  unserved_slots: v.optional(n, 0),
  /** Requests held back by the target's `max_rps`, and for how long together. */
  held_requests: v.optional(n, 0),
  held_ms: v.optional(n, 0),
  /** The generator, and not the target, limited the run. */
  limited: v.boolean(),
  detail: s,
});

/** One process of a run of several. */
export type ShardSummary = Stored<typeof shard>;
const shard = object({
  /** 0 is the lead. */
  shard: n,
  /** Its worker threads. */
  workers: n,
  /** Completed by it. */
  iterations: n,
  requests: n,
  /** Of its machine; null when nothing came from it. */
  generator: v.nullable(generator),
  /** From when on its share is missing, in milliseconds into the run; null when it is not. */
  lost_at_ms: v.nullable(n),
});

const counted = {
  iterations: object({
    started: n,
    completed: n,
    passed: n,
    failed: n,
    throttled: n,
  }),
  requests: n,
  error_rate: n,
  throttle_rate: n,
};

/** Where and why a stress run broke; filled by the knee routine. */
export type Knee = Stored<typeof knee>;
const knee = object({
  class: v.picklist(["degraded", "throttled", "inconclusive"]),
  detail: s,
  /** null, as is `at_ms`, when it broke, but at no level. */
  vus: v.nullable(n),
  threshold: own,
  at_ms: v.nullable(n),
});

/** `meta.json`. */
export type RunMeta = Stored<typeof runMeta>;
export const runMeta = object({
  schema: n,
  id: own,
  flow: own,
  /** As the user named it; `-` for standard input. */
  flow_file: own,
  /** Hex SHA-256 of `flow.json`. */
  ir_sha256: own,
  /** The words it may be chosen by; absent without any. */
  tags: v.exactOptional(v.array(own)),
  target: own,
  /** Where it was read, from the folder of the flow file; absent when there was no file. */
  target_file: v.exactOptional(own),
  mode: own,
  seed: n,
  /** Planned peak. */
  vus: n,
  /** Options that changed how the run was driven, by the names of their flags. */
  options: v.exactOptional(v.record(s, v.union([s, n, v.boolean()]))),
  bench_version: own,
  status,
  /** null while the run is going on. */
  verdict: v.nullable(v.picklist(["pass", "fail"])),
  exit_code: v.nullable(n),
  abort_reason: v.nullable(s),
  /** Absent of a run that passed or goes on. Earlier versions wrote none. */
  reason: v.exactOptional(reason),
  /** RFC 3339 in UTC. */
  started_at: timestamp,
  ended_at: v.nullable(timestamp),
  duration_ms: n,
  ...counted,
  /** Of an open loop: requests that were due, sent or not. */
  offered_requests: v.exactOptional(n),
  latency,
  latency_intervals: v.exactOptional(latencyIntervals),
  thresholds: v.array(threshold),
  steps: v.array(step),
  /** The flows of a mix; absent of a flow by itself. */
  flows: v.exactOptional(v.array(flow)),
  generator: v.nullable(generator),
  /** Processes of a run of several; absent otherwise. */
  shards: v.exactOptional(v.array(shard)),
  /** The iterations that began before what the other figures are of. */
  warm_up: v.exactOptional(object({ duration_ms: n, ...counted })),
  agent_attached: v.boolean(),
  knee: v.nullable(knee),
  /** Present when the flow has one and it was begun. In no other figure of the run. */
  setup: v.exactOptional(once),
  teardown: v.exactOptional(once),
  /** The drift of a soak run; absent in the other modes. */
  drift: v.exactOptional(drift),
  /** Of a search for the highest load, in the run at its lower bound. */
  capacity: v.exactOptional(capacity),
  /** The findings of a load run that ended. Earlier versions did not store them. */
  findings: v.exactOptional(v.array(finding)),
  /** Verdicts over this run and others, the oldest first. */
  judged: v.exactOptional(v.array(judgement)),
  failures: v.array(failure),
  /** Of a run whose responses were held against a description of the API. */
  contract: v.exactOptional(contractSummary),
  /**
   * Integration and system modes: iterations one by one, the first 200 that
   * passed and the first 200 that did not. Absent in the other modes.
   */
  rows: v.exactOptional(v.array(row)),
  /** Rows beyond those. */
  other_rows: v.exactOptional(n),
  notes: v.array(s),
});
