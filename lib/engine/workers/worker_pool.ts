import type { SharedMemory } from "../limiter/limiter.ts";
import type { CountedRow } from "../../model/result/totals.ts";
import type { Trace } from "../../model/result/trace.ts";
import type { KnownTokens, TokenKeeper } from "../../steps/auth/tokens.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { GivenVariables, RunTask } from "../vu/job.ts";
import type { Stop, StopReason } from "../vu/stop.ts";
import type {
  GeneratorCost,
  GeneratorData,
} from "../../results/record/generator.ts";
import type {
  Increment,
  Missed,
  RecorderSnapshot,
} from "../../results/record/snapshot.ts";
import type { Progress } from "../../results/record/recorder.ts";

/** The report of one worker: all that it recorded. */
export interface WorkerReport {
  readonly snapshot: RecorderSnapshot;
  readonly generator: GeneratorData;
  /** Request slots that were due and never served. */
  readonly unserved: number;
  /** How long its part of the load took, in milliseconds, after any warm-up. */
  readonly lastedMs?: number;
  /** Why this worker asked for a stop, when it did. */
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
}

/** The report of a worker so far, without the seconds that were sent before. */
export interface PartialReport {
  readonly report: WorkerReport;
  /** Index of its first second, and of the first second of its generator's health. */
  readonly from: number;
}

/**
 * A run begins so long after it is agreed: threads begin together, and VUs and
 * recorders are there when the first slot of an open loop is due.
 */
export const LEAD_MS = 5;

/**
 * The work of a second is done in parts, this far apart: a thread that sends as well
 * would be late for as long as all of it takes.
 */
export const PAUSE_MS = 10;

/** The workers of one run. */
export interface WorkerPool {
  /** Compiles; nothing is sent. @throws {StepError} */
  prepare(): Promise<void>;
  /**
   * Agrees when the run begins. Resolves to that moment, on this thread's clock.
   *
   * @param given the variables of `setup`; a shard that joined has them from the lead
   */
  start(given?: GivenVariables): Promise<number>;
  /**
   * Carries out the plan. Resolves when every worker is done.
   *
   * @param startsAt when the run begins, on this thread's clock
   */
  run(startsAt: number): Promise<readonly WorkerReport[]>;
  /** The reports of the workers so far, without the seconds before `from`. */
  recorded(from: number): Promise<readonly PartialReport[]>;
  /** The records that a reader of the unfinished run misses, of each worker that runs. */
  increments(missed: Missed): Promise<readonly Increment[]>;
  /** The progress of each worker. */
  progress(): readonly Progress[];
  /** Closes timers, sockets and threads. */
  close(): Promise<void>;
  /** The reports of other machines so far, and up to when. */
  othersSoFar?(): readonly PartialShare[];
  /** The shares of other machines; absent when there are none. */
  others?(): readonly ShardShare[];
  /** Notes on the workers for a person, once the run is over. */
  notes?(): readonly string[];
  /** To be called when the run is stored. */
  stored?(): Promise<void>;
}

/** The share of another process as far as it is known while the run goes on. */
export interface PartialShare {
  readonly workers: readonly WorkerReport[];
  /** In milliseconds into the run; Infinity when nothing more will come. */
  readonly untilMs: number;
}

/** The share of a run that one process had, and what that took of its machine. */
export interface ShardShare {
  /** Of the run: the process that stores the run has shard 0. */
  readonly index: number;
  /** As far as it is known here. */
  readonly workers: readonly WorkerReport[];
  readonly cost?: GeneratorCost;
  /** From when on its share is missing, in milliseconds into the run, and why. */
  readonly lost?:
    | { readonly atMs: number; readonly why: string }
    | undefined;
}

/** The tools that a run gives its worker pool. */
export interface PoolTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly registerSecret: (value: string) => void;
  /**
   * Takes the trace of an iteration at once; returns how many bytes it took.
   *
   * @param keep whether it is stored
   */
  readonly writeTrace: (trace: Trace, keep: boolean) => number;
  /** Whether `writeTrace` is called also for traces that are not stored. */
  readonly everyTrace?: boolean;
  /** Takes each row that is not remembered, of a run that reports them. */
  readonly writeRow: (row: CountedRow) => void;
  /** Threads of a load-family run. */
  readonly workers: number;
  /** Takes the secrets out of a snapshot, so that it may leave this process. */
  readonly hide: (snapshot: RecorderSnapshot) => RecorderSnapshot;
  /** Of a run that has not all its iterations to itself. */
  readonly memory?: SharedMemory;
  /** Of runs that go on at once: the next free moment under `max_rps`. */
  readonly rate?: SharedArrayBuffer | undefined;
  /** Where tokens come from; the main thread fetches them when absent. */
  readonly tokens?: TokenKeeper;
  /** Tokens that `setup` fetched; `teardown` finds those of the workers there. */
  readonly knownTokens?: KnownTokens;
}

/** Opens the workers of a run. */
export type OpenWorkerPool = (task: RunTask, tools: PoolTools) => WorkerPool;
