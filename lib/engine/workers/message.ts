import type { Lease, OldToken, TokenRequest } from "../../steps/auth/scheme.ts";
import type { SharedMemory } from "../limiter/limiter.ts";
import type { StopReason } from "../vu/stop.ts";
import type { SharedCells } from "../data/table.ts";
import type { Shard } from "../plan/shard.ts";
import type { Increment, Missed } from "../../results/record/snapshot.ts";
import type { PackedTraces } from "../../results/traces/packed_traces.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { GivenVariables, RunTask } from "../vu/job.ts";
import type { PartialReport, WorkerReport } from "./worker_pool.ts";

/** A task as workers are sent it: the rows of its fixtures are in memory they share. */
export interface SentTask extends Omit<RunTask, "fixtures"> {
  /** By pool name. */
  readonly fixtures: ReadonlyMap<
    string,
    { readonly columns: readonly string[]; readonly cells: SharedCells }
  >;
}

/** A message to a worker. */
export type ToWorker =
  | {
    readonly type: "prepare";
    readonly task: SentTask;
    readonly shard: Shard;
    readonly memory: SharedMemory;
    readonly stop: SharedArrayBuffer;
  }
  | {
    readonly type: "run";
    /** When the run begins, in milliseconds since the epoch. */
    readonly startsAt: number;
    readonly given: GivenVariables | undefined;
  }
  | { readonly type: "cut" }
  /** Asks for its report so far. */
  | { readonly type: "record"; readonly from: number }
  /** Asks for its records since the request before. */
  | { readonly type: "increment"; readonly missed: Missed }
  | TokenResponse;

/** A worker asks for a token. */
export interface TokenAsked {
  readonly type: "token";
  readonly id: number;
  readonly request: TokenRequest;
  readonly old?: OldToken;
}

/** The response to it. */
export type TokenResponse =
  | {
    readonly type: "token";
    readonly id: number;
    readonly lease: Lease;
  }
  | {
    readonly type: "token";
    readonly id: number;
    /** Why there is none, and how long there will be none. */
    readonly error: {
      readonly code: string;
      readonly message: string;
      readonly retryInMs?: number | undefined;
      readonly status?: number | undefined;
    };
  };

/** A message of a worker. */
export type FromWorker =
  | { readonly type: "ready" }
  | {
    readonly type: "refused";
    readonly pointer: string;
    readonly message: string;
  }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "secret"; readonly value: string }
  | TokenAsked
  | {
    readonly type: "stop";
    readonly reason: StopReason;
    readonly detail: string;
  }
  | { readonly type: "recorded"; readonly part: PartialReport }
  | { readonly type: "increment"; readonly increment?: Increment }
  | {
    readonly type: "done";
    /** Its traces are those beside it. */
    readonly report: WorkerReport;
    readonly traces: PackedTraces;
  }
  | { readonly type: "broken"; readonly message: string };
