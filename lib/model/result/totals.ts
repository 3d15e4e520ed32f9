import type { Distribution } from "../metrics.ts";
import type { StepPhase } from "./latency.ts";
import type { ContractSummary, ViolationGroup } from "./contract.ts";
import type { FailureGroup, RowSummary, StepCounts } from "./run.ts";

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

/** Of a run that has only begun. */
export const NO_ITERATIONS: IterationCounts = {
  started: 0,
  completed: 0,
  passed: 0,
  failed: 0,
  throttled: 0,
  interrupted: 0,
};

/** Latencies of one step, or of the whole run. */
export interface Latencies {
  /** From the send; passed and failed attempts. */
  readonly service: Distribution;
  /** From when the request was due; passed and failed attempts. */
  readonly response: Distribution;
  /** From the send; throttled attempts. */
  readonly throttled: Distribution;
}

/**
 * A failure, or those of one group, as a recorder counts it. Its message is that of
 * the earliest one, word for word: what is left open in it is left open after
 * redaction, which finds no secret whose digits are gone.
 */
export interface CountedFailure
  extends Omit<FailureGroup, "file" | "line" | "column"> {
  /** Not all of the group say the same. */
  readonly varies?: boolean;
  readonly check?: string;
  /** JSON Pointer into the IR: the part that failed, or the step. */
  readonly pointer: string;
  /** The earliest one's. */
  readonly iteration: number;
}

/** One iteration, as the rows executor reports it. */
export interface CountedRow extends Omit<RowSummary, "failures"> {
  readonly failures: readonly CountedFailure[];
}

/** Violations of one operation at one place of the description. */
export interface CountedViolation
  extends Omit<ViolationGroup, "steps" | "trace_id"> {
  /** Equal for those of one group. */
  readonly key: string;
  /** Indices of the steps that met it. */
  readonly steps: readonly number[];
  /** The earliest one's. */
  readonly iteration: number;
  readonly trace_id?: string;
}

/** How the responses that were checked fit the description of the API. */
export interface CountedContract extends Pick<ContractSummary, "operations"> {
  readonly violations: readonly CountedViolation[];
  /** Violations beyond the groups that were kept. */
  readonly other: number;
  /** Indices of steps with a request that it does not have. */
  readonly undescribed: readonly number[];
}

/** The iterations of one flow of a mix that were completed. */
export type FlowCounts = Pick<
  IterationCounts,
  "completed" | "passed" | "failed" | "throttled"
>;

/** Everything a run counted: what `record/` hands to `report/`. */
export interface RunTotals {
  readonly iterations: IterationCounts;
  readonly requests: number;
  readonly latencies: Latencies;
  /** By step index. */
  readonly steps: readonly (StepCounts & {
    readonly latencies: Latencies;
    /** Of its exchanges; a phase that never happened is absent. */
    readonly phases?: Readonly<Partial<Record<StepPhase, Distribution>>>;
  })[];
  /** Of a mix, in its order. */
  readonly flows?: readonly {
    readonly name: string;
    readonly weight: number;
    readonly iterations: FlowCounts;
    /** How long they took. */
    readonly durations: Distribution;
    /** Of its steps, from when a request was due. */
    readonly latency: Distribution;
    readonly bytes: number;
  }[];
  /** Most frequent first. */
  readonly failures: readonly CountedFailure[];
  /** Failures beyond the groups that were kept. */
  readonly otherFailures: number;
  /** Absent where no response was held against a description. */
  readonly contract?: CountedContract;
  /** Iterations one by one, where that was asked for; by iteration. */
  readonly rows: readonly CountedRow[];
  /** Iterations that did not fit into `rows`. */
  readonly otherRows: number;
}
