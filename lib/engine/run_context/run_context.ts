import type { HttpChoice } from "../../model/result/response.ts";
import type { StopSignal } from "../../model/result/run.ts";
import type { Trace } from "../../model/result/trace.ts";
import type { Clock } from "../../base/time/clock.ts";
import type {
  LiveNews,
  LiveRecording,
  RunProgress,
} from "../../results/record/live_recording.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { Redacted } from "../../results/redact/redacted.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import type { Contract } from "../../openapi/contract.ts";
import type { RunFiles, TraceFile } from "../../results/store/run_files.ts";
import type { RouteOptions } from "../../wire/net/byte_stream.ts";
import type { TlsOptions } from "../../wire/net/network.ts";
import type {
  ArrivalPattern,
  ReplayedIteration,
  RunPlan,
} from "../plan/plan.ts";
import type { Shard } from "../plan/shard.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { GivenVariables } from "../vu/job.ts";
import type { Stop } from "../vu/stop.ts";
import type { ProcessCost } from "../workers/process_cost.ts";
import type { OpenWorkerPool, WorkerPool } from "../workers/worker_pool.ts";
import type { AgentSampling } from "./agent_samples.ts";
import type { OnceRecord, OnceSteps } from "./once.ts";
import type { OtherRows } from "./other_rows.ts";

/** How a prepared run is carried out. */
export interface RunOptions {
  readonly seed: number;
  /** Nothing is stored when absent. */
  readonly storeDir?: string | undefined;
  readonly tls: TlsOptions;
  readonly http: HttpChoice;
  /** Where connections go in place of the usual way. */
  readonly route?: RouteOptions;
  /** The description of the API that responses are held against. */
  readonly contract?: Contract;
  /** Requests say which trace they belong to. */
  readonly traceparent?: boolean;
  /** A load run is rehearsed before it begins. */
  readonly rehearsal?: boolean;
  /** Threads of a load-family run; one a core when absent. */
  readonly workers?: number;
  readonly clock: Clock;
  /** A number in [0, 1) for the ids of run and traces; not seeded, so that they differ. */
  readonly chance: () => number;
  readonly stop: Stop;
  /** The signal that stopped the run, asked for at its end. */
  readonly signal: () => StopSignal | undefined;
  /** The one fixture row to run, 0-based, in integration and system modes. */
  readonly row?: number;
  /** The iteration of an earlier run that is carried out once more, alone. */
  readonly replays?: ReplayedIteration;
  /** Of an open loop; even when absent. */
  readonly arrivals?: ArrivalPattern;
  /** Of two runs at once: their request slots are due in turns. */
  readonly side?: 0 | 1;
  /** Of runs against one target at once: memory of the `max_rps` that they keep together. */
  readonly rate?: SharedArrayBuffer;
  /** Sent to the target's metrics agent, when there is one. */
  readonly agentToken?: string;
  /** Of a run of several processes. */
  readonly part?: RunPart;
  /** They follow the run, in this order. */
  readonly listeners?: readonly Listener[];
  /** For what a person should know, already free of secrets. */
  readonly notes: readonly string[];
}

/** One process of a run of several. */
export interface RunPart {
  readonly shard: Shard;
  /** Opens the workers. */
  readonly openPool: OpenWorkerPool;
  /**
   * Of a process that hands over what it recorded: whether it has to store it
   * itself after all. Asked at the end; nothing is stored before.
   */
  readonly keep?: () => boolean;
  /** Shards that may be lost before the run counts as errored. */
  readonly tolerateLost?: number;
}

/** Follows a run without being a part of it. */
export interface Listener {
  /** Stored among the options of a load run. */
  readonly option?: RunFacts["options"];
  /** Called before anything is stored or sent. What it throws refuses the run. */
  open?(run: KnownRun): void | Promise<void>;
  /** Called when everything is ready. The first request waits for it. */
  start?(run: ReadyRun): void | Promise<void>;
  /** Whether the second that ends now is to come with the latencies so far. */
  wantsLatencies?(elapsedMs: number): boolean;
  /**
   * Called about once a second. What it throws ends the run, but for a StoreError:
   * a file that only a reader of the unfinished run misses does not.
   */
  second?(second: RunSecond): void | Promise<void>;
  /** Called when the load is over, before `teardown` is carried out. */
  tearDown?(): void;
  /**
   * Called with each finished iteration of an integration or system run. Bodies
   * are whole.
   *
   * @param cut gives it with its bodies as a store cuts them
   */
  trace?(iteration: Redacted<Trace>, cut: () => Redacted<Trace>): void;
  /** Notes for a person at the end. @param latencies of the whole run */
  notes?(latencies: LatencyEvidence): readonly string[];
  /** Called last, however the run ended. */
  end?(): void | Promise<void>;
}

/** The state of a run after a second of it. */
export interface RunSecond {
  /** Below 0 in the warm-up. */
  readonly elapsedMs: number;
  /** The progress of each thread. */
  readonly parts: readonly Progress[];
  readonly progress: RunProgress;
  /** The CPU time that this process took, of what the machine has. */
  readonly cpuRatio: number;
  readonly stop: Stop;
  /** All that was recorded so far. */
  readonly recording: LiveRecording;
  /** The part of it that came in this second. */
  readonly news: LiveNews;
  /** The latencies so far, up to a moment that they are complete at. */
  latencies(): LatencyEvidence;
  /** Between two parts of what is done in a second; none when the run ends. */
  pause(): Promise<void>;
}

/** A run of which everything is known, and nothing is sent or stored. */
export interface KnownRun {
  readonly prepared: PreparedRun;
  readonly options: RunOptions;
  readonly plan: RunPlan;
  readonly facts: RunFacts;
  readonly secrets: Secrets;
  readonly otherRows: OtherRows;
  readonly listeners: readonly Listener[];
  readonly workers: WorkerPool;
  readonly once: OnceLists;
}

/** The lists of steps that this process carries out once. */
export interface OnceLists {
  setup?: OnceSteps | undefined;
  teardown?: OnceSteps | undefined;
}

/** A run that can begin. */
export interface ReadyRun extends KnownRun {
  readonly writer: RunFiles;
  readonly traces: TraceFile;
}

/** One run under way. */
export interface RunContext extends ReadyRun {
  /** The workers begin, monotonic. */
  readonly startsAt: number;
  /** The start of what is measured: after the warm-up, where there is one. */
  readonly startedAt: number;
  /** It was stopped before it sent anything. */
  readonly neverBegan?: boolean;
  /** It was stopped before its load, or its warm-up, began. */
  readonly leftLoadOut?: boolean;
  readonly setup?: OnceRecord | undefined;
  /** The variables it extracted. */
  readonly given?: GivenVariables;
  readonly teardown?: OnceRecord | undefined;
  /** A second signal came before it was carried out. */
  readonly leftTeardownOut?: boolean;
  /** Reads what the target's agent reports. */
  readonly agent: AgentSampling;
  /** Measures what this process takes of its machine. */
  readonly cost: ProcessCost;
}

/** A run that is over, as far as storing it needs it. */
export interface EndedRun extends
  Pick<
    RunContext,
    | "plan"
    | "facts"
    | "secrets"
    | "writer"
    | "traces"
    | "otherRows"
    | "listeners"
    | "neverBegan"
    | "leftLoadOut"
    | "setup"
    | "teardown"
    | "leftTeardownOut"
  > {
  readonly prepared: Pick<PreparedRun, "flow" | "locations">;
  readonly options:
    & Pick<RunOptions, "signal" | "notes">
    & { readonly part?: Pick<RunPart, "tolerateLost"> }
    & { readonly stop: Pick<Stop, "reason" | "detail"> };
  readonly workers: Pick<WorkerPool, "notes">;
}
