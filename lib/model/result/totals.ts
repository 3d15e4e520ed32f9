import type { TypedValue } from "./failure.ts";
import type { Outcome } from "./iteration.ts";

/** The spread of some latencies. Milliseconds; all zero when `count` is 0. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly avg: number;
  readonly max: number;
  /** The value `p` percent of the samples do not exceed, by nearest rank; `p` in (0, 100]. */
  percentile(p: number): number;
}

/** Iterations of a run. Interrupted ones are in `started` and `interrupted` only. */
export interface IterationCounts {
  readonly started: number;
  readonly completed: number;
  /** Neither failed nor throttled. */
  readonly passed: number;
  /** One that is both failed and throttled counts in both. */
  readonly failed: number;
  readonly throttled: number;
  readonly interrupted: number;
}

/** Latencies of one step, or of the whole run. */
export interface Latencies {
  /** From the send; passed and failed attempts. */
  readonly service: Distribution;
  /** From when the request was due; passed and failed attempts. */
  readonly response: Distribution;
  /** From the send; throttled attempts. */
  readonly throttled: Distribution;
}

/** What one step came to over the whole run. */
export interface StepTotals {
  readonly executions: number;
  readonly requests: number;
  readonly passed: number;
  readonly throttled: number;
  readonly failed: number;
  readonly attempts: Readonly<Record<Outcome, number>>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly latencies: Latencies;
}

/** Failures, or throttles, of one cause at one place. */
export interface FailureTotal {
  /** Index into the flow's steps. */
  readonly step: number;
  readonly outcome: "failed" | "throttled";
  readonly code: string;
  /** As it was when there is one, with numbers and ids left open when there are more. */
  readonly message: string;
  readonly count: number;
  /** JSON Pointer of the part that failed. */
  readonly pointer?: string;
  readonly expected?: TypedValue;
  readonly actual?: TypedValue;
  /** A kept trace that shows it. */
  readonly traceId?: string;
  readonly row?: number;
}

/** One iteration, as the rows executor reports it. */
export interface RowTotal {
  readonly iteration: number;
  readonly row?: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** Absent when its trace was not kept. */
  readonly traceId?: string;
  /** What is wrong with it; `step` is an index into the flow's steps. */
  readonly failures: readonly FailureTotal[];
  /** How many there are beyond those. */
  readonly otherFailures: number;
}

/** Everything a run counted: what `record/` hands to `report/`. */
export interface RunTotals {
  readonly iterations: IterationCounts;
  readonly requests: number;
  readonly latencies: Latencies;
  /** By step index. */
  readonly steps: readonly StepTotals[];
  /** Most frequent first. */
  readonly failures: readonly FailureTotal[];
  /** Failures beyond the groups that were kept. */
  readonly otherFailures: number;
  /** Iterations one by one, where that was asked for; by iteration. */
  readonly rows: readonly RowTotal[];
  /** Iterations that did not fit into `rows`. */
  readonly otherRows: number;
}
