import type { Fixture } from "../data/table.ts";
import type { StopReason } from "../vu/stop.ts";
import type { Flow } from "../../language/ir.ts";
import type { RunPlan } from "../plan/plan.ts";
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
import type { HttpChoice } from "../../model/result/http_version.ts";
import type { IdWords } from "../../results/traces/trace_ids.ts";
import type { RouteOptions } from "../../wire/net/route.ts";
import type { TlsOptions } from "../../wire/net/network.ts";

/** What the workers of a run carry out: plain data, except for the fixtures. */
export interface RunTask {
  readonly flow: Flow;
  readonly plan: RunPlan;
  /** What the ids of the run's traces are made of. */
  readonly ids: IdWords;
  readonly env: ReadonlyMap<string, string>;
  readonly baseUrls: readonly string[];
  readonly tls: TlsOptions;
  readonly http: HttpChoice;
  readonly route?: RouteOptions;
  /** Requests say which trace they belong to. */
  readonly traceparent?: boolean;
  readonly userAgent: string;
  /** Files that blocks name are relative to it. */
  readonly directory: string;
  /** By pool name. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
}

/** What one worker recorded. */
export interface WorkerReport {
  readonly snapshot: RecorderSnapshot;
  readonly generator: GeneratorData;
  /** Request slots that were due and never served. */
  readonly unserved: number;
  /** Why this worker asked for a stop, when it did. */
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
}

/** What a worker recorded so far, without the seconds that were sent before. */
export interface SoFar {
  readonly report: WorkerReport;
  /** Index of its first second, and of the first second of its generator's health. */
  readonly from: number;
}

/** The workers of one run. */
export interface WorkerPool {
  /** Compiles; nothing is sent. @throws {StepError} */
  prepare(): Promise<void>;
  /** Agrees when the run begins. Resolves to that moment, on this thread's clock. */
  start(): Promise<number>;
  /**
   * Carries out the plan. Resolves when every worker is done.
   *
   * @param startsAt when the run begins, on this thread's clock
   */
  run(startsAt: number): Promise<readonly WorkerReport[]>;
  /** What the workers recorded so far, but for seconds before `from`. */
  recorded(from: number): Promise<readonly SoFar[]>;
  /** What a reader of the unfinished run misses, of each worker that runs. */
  increments(missed: Missed): Promise<readonly Increment[]>;
  /** The progress of each worker. */
  progress(): readonly Progress[];
  /** Closes timers, sockets and threads. */
  close(): void;
  /** What other machines recorded; absent when there are none. */
  others?(): readonly OtherShard[];
  /** What a person should know of the workers, once the run is over. */
  notes?(): readonly string[];
  /** What was recorded is stored. */
  stored?(): Promise<void>;
}

/** The share of a run that another machine had. */
export interface OtherShard {
  /** Of the run, from 1: the machine that stores the run has shard 0. */
  readonly index: number;
  /** As far as it is known here. */
  readonly workers: readonly WorkerReport[];
  readonly cost?: GeneratorCost;
  /** From when on its share is missing, in milliseconds into the run, and why. */
  readonly lost?: { readonly atMs: number; readonly why: string };
}
