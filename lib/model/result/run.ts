import type { TypedValue } from "./failure.ts";
import type { Outcome } from "./iteration.ts";

/** Version of every file in a run directory; readers refuse a newer one. */
export const RUN_SCHEMA = 1;

export type RunStatus =
  | "running"
  | "finished"
  | "aborted"
  | "interrupted"
  | "errored";

/** Signals that end a run early and leave its results. */
export type StopSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

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
type LatencyFigure = (typeof LATENCY_FIGURES)[number];

/** Milliseconds; all null when there was no sample. */
export type LatencySummary =
  | { readonly [Figure in LatencyFigure]: number }
  | { readonly [Figure in LatencyFigure]: null };

/** One threshold and how it came out. */
export interface ThresholdVerdict {
  /** As in the flow file, normalised: `p95(latency) < 300ms`. */
  readonly expression: string;
  /** Milliseconds for latency, a share for rates; null without samples. */
  readonly actual: number | null;
  readonly pass: boolean;
  /** Latency samples, or iterations for a rate. */
  readonly samples: number;
}

/** One step over the whole run. */
export interface StepSummary {
  readonly id: string;
  readonly kind: string;
  /** Steps begun. */
  readonly executions: number;
  /** What was sent, retries and poll rounds included. */
  readonly requests: number;
  /** Final classes; they add up to the steps that ended. */
  readonly passed: number;
  readonly throttled: number;
  readonly failed: number;
  readonly attempts: {
    readonly passed: number;
    readonly throttled: number;
    readonly failed: number;
  };
  readonly bytes_sent: number;
  readonly bytes_received: number;
  /** Passed and failed attempts. */
  readonly latency: LatencySummary;
  /** Throttled attempts, kept apart so that fast 429s cannot flatter p50. */
  readonly throttled_latency: LatencySummary;
}

/** Failures of one cause at one place. */
export interface FailureGroup {
  readonly step: string;
  readonly code: string;
  readonly message: string;
  readonly count: number;
  /** Where in the flow file, when it has source text. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly expected?: TypedValue;
  readonly actual?: TypedValue;
  /** A trace that shows it, when one was kept. */
  readonly trace_id?: string;
  /** 0-based fixture row of that trace. */
  readonly row?: number;
  readonly outcome: "failed" | "throttled";
}

/** One iteration of an integration or system run. */
export interface RowSummary {
  readonly iteration: number;
  /** 0-based fixture row; absent without a fixture. */
  readonly row?: number;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  /** Absent when its trace was not kept. */
  readonly trace_id?: string;
  /**
   * What is wrong with it, in order: why each step did not pass, and which other
   * checks do not hold. `count` is 1.
   */
  readonly failures: readonly FailureGroup[];
  /** How many there are beyond those. */
  readonly other_failures?: number;
}

/** How many cores of the generator's machine each had, on average over the run. */
export interface CoreUse {
  /** Cores there are. */
  readonly total: number;
  readonly generator: number;
  /** null when it runs elsewhere, or could not be told from the others. */
  readonly target: number | null;
  readonly others: number;
}

/**
 * How the load generator itself was doing; null in integration and system runs
 * in which nothing was held back.
 */
export interface GeneratorHealth {
  readonly cpu_share: number;
  /**
   * Share of the time that its threads were ready to run and waited for a core;
   * null where the system does not report it.
   */
  readonly core_wait_share: number | null;
  /** Who had the cores of its machine; null likewise. */
  readonly cores: CoreUse | null;
  readonly loop_lag_p99_ms: number;
  /** How late request slots were handed out; 0 outside the open executor. */
  readonly late_p99_ms: number;
  /** Slots that were due and never served. */
  readonly unserved_slots: number;
  /** Requests held back by the target's `max_rps`, and for how long together. */
  readonly held_requests: number;
  readonly held_ms: number;
  /** The generator, and not the target, limited the run. */
  readonly limited: boolean;
  readonly detail: string;
}

/** Where and why a stress run broke; filled by the knee routine. */
export interface Knee {
  readonly class: "degraded" | "throttled" | "inconclusive";
  readonly detail: string;
  /** null, as is `at_ms`, when it broke, but at no level. */
  readonly vus: number | null;
  readonly threshold: string;
  readonly at_ms: number | null;
}

/** `meta.json`. */
export interface RunMeta {
  readonly schema: number;
  readonly id: string;
  readonly flow: string;
  /** As the user named it; `-` for standard input. */
  readonly flow_file: string;
  /** Hex SHA-256 of `flow.json`. */
  readonly ir_sha256: string;
  readonly target: string;
  readonly mode: string;
  readonly seed: number;
  /** Planned peak. */
  readonly vus: number;
  readonly bench_version: string;
  readonly status: RunStatus;
  /** null while the run is going on. */
  readonly verdict: "pass" | "fail" | null;
  readonly exit_code: number | null;
  readonly abort_reason: string | null;
  /** RFC 3339 in UTC. */
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly duration_ms: number;
  readonly iterations: {
    readonly started: number;
    readonly completed: number;
    readonly passed: number;
    readonly failed: number;
    readonly throttled: number;
  };
  readonly requests: number;
  readonly error_rate: number;
  readonly throttle_rate: number;
  readonly latency: LatencySummary;
  readonly thresholds: readonly ThresholdVerdict[];
  readonly steps: readonly StepSummary[];
  readonly generator: GeneratorHealth | null;
  readonly agent_attached: boolean;
  readonly knee: Knee | null;
  readonly failures: readonly FailureGroup[];
  /**
   * Integration and system modes: iterations one by one, the first 200 that
   * passed and the first 200 that did not. Absent in the other modes.
   */
  readonly rows?: readonly RowSummary[];
  /** Rows beyond those. */
  readonly other_rows?: number;
  readonly notes: readonly string[];
}
