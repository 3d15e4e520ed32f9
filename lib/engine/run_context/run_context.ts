import type { MetricsOptions, MetricsServer } from "./metrics_server.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { ArrivalPattern, RunPlan } from "../plan/plan.ts";
import type { RunProgress } from "../../results/record/live_recording.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import type { StopSignal } from "../../model/result/run.ts";
import type { RunFiles, TraceFile } from "../../results/store/run_files.ts";
import type { Redacted } from "../../results/redact/redacted.ts";
import type { Trace } from "../../model/result/trace.ts";
import type { EarlyEnd, EarlyEndOptions } from "./early_end.ts";
import type { ResponseNotes } from "./response_notes.ts";
import type { OtherRows } from "./other_rows.ts";
import type { Stop } from "../vu/stop.ts";
import type { Shard } from "../plan/shard.ts";
import type { OpenWorkerPool, WorkerPool } from "../workers/worker_pool.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { HttpChoice } from "../../model/result/response.ts";
import type { RouteOptions } from "../../wire/net/byte_stream.ts";
import type { TlsOptions } from "../../wire/net/network.ts";

/** One of two runs at once. */
export interface DuelSide {
  /** Its slots are due in turns with those of the other side. */
  readonly side: 0 | 1;
  /** Awaited before the first request: both begin together. */
  readonly together: () => Promise<void>;
}

/** How a prepared run is carried out. */
export interface RunOptions extends EarlyEndOptions {
  readonly seed: number;
  /** Nothing is stored when absent. */
  readonly storeDir?: string;
  readonly tls: TlsOptions;
  readonly http: HttpChoice;
  /** Where connections go in place of the usual way. */
  readonly route?: RouteOptions;
  /** Requests say which trace they belong to. */
  readonly traceparent?: boolean;
  /** Threads of a load-family run; one a core when absent. */
  readonly workers?: number;
  readonly clock: Clock;
  /** A number in [0, 1) for the ids of run and traces; not seeded, so that they differ. */
  readonly chance: () => number;
  readonly stop: Stop;
  /** The signal that stopped the run, asked for at its end. */
  readonly signal: () => StopSignal | undefined;
  /** Called once the run has a directory. */
  readonly onStored?: (runId: string) => void;
  /** Called about once a second. */
  readonly onProgress: (progress: RunProgress) => void;
  /**
   * Called with each finished iteration of an integration or system run. Bodies
   * are whole.
   */
  readonly onIteration?: (iteration: Redacted<Trace>) => void;
  /** The one fixture row to run, 0-based, in integration and system modes. */
  readonly row?: number;
  /** Of an open loop; even when absent. */
  readonly arrivals?: ArrivalPattern;
  /** Of a run beside another one, to which it is compared. */
  readonly duel?: DuelSide;
  /** Sent to the target's metrics agent, when there is one. */
  readonly agentToken?: string;
  /** The part of the run that is this process's, of a run of several. */
  readonly shard?: Shard;
  /** Opens the workers; those of this process alone when absent. */
  readonly openPool?: OpenWorkerPool;
  /** Asked at the end: nothing is stored before, and nothing at all when it is false. */
  readonly keep?: () => boolean;
  /** Shards that may be lost before the run counts as errored. */
  readonly tolerateLost?: number;
  /** Where the figures are offered to other tools while the run lasts. */
  readonly metrics?: MetricsOptions;
  /** For what a person should know, already free of secrets. */
  readonly notes: readonly string[];
}

/** A run that is over, as far as storing it needs it. */
export interface EndedRun extends
  Pick<
    RunContext,
    "plan" | "facts" | "secrets" | "writer" | "traces" | "otherRows"
  > {
  readonly prepared: Pick<PreparedRun, "flow" | "locations">;
  readonly options:
    & Pick<RunOptions, "signal" | "tolerateLost" | "notes">
    & { readonly stop: Pick<Stop, "reason" | "detail"> };
  readonly workers: Pick<WorkerPool, "notes">;
  readonly earlyEnd: Pick<EarlyEnd, "notes">;
  readonly responseNotes?: ResponseNotes;
}

/** One run under way. */
export interface RunContext {
  readonly prepared: PreparedRun;
  readonly options: RunOptions;
  readonly plan: RunPlan;
  readonly facts: RunFacts;
  readonly secrets: Secrets;
  readonly writer: RunFiles;
  readonly traces: TraceFile;
  readonly otherRows: OtherRows;
  readonly responseNotes: ResponseNotes;
  readonly workers: WorkerPool;
  readonly metrics?: MetricsServer | undefined;
  /** Monotonic. */
  readonly startedAt: number;
  /** By id: what listens on the target's ports on this machine. */
  readonly targetProcesses: readonly string[];
  /** What may end it before its plan does. */
  readonly earlyEnd: EarlyEnd;
}
