import type { KeptTrace } from "../traces/given_traces.ts";
import type { SecondData } from "./seconds.ts";
import type { RecorderSnapshot } from "./snapshot.ts";

/** What a recorder counted since the run started. */
export type Counted = Omit<RecorderSnapshot, "seconds" | "traces">;

/** What a reader of an unfinished run misses. */
export interface Missed {
  /** The first second it does not have. */
  readonly from: number;
  /** With the latencies of steps, which are most of an increment. */
  readonly whole: boolean;
}

/**
 * What one recorder has to add to what it handed on before, as plain data: for
 * readers of a run that goes on, or that was killed.
 */
export interface Increment extends Counted {
  /** Whole ones. */
  readonly seconds: readonly SecondData[];
  /** Some of the traces kept since; the others follow. */
  readonly fresh: readonly KeptTrace[];
}

/** Each is redacted and written at once. */
export const TRACES_AT_ONCE = 5;
