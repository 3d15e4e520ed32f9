import type { GeneratorCost } from "../../results/record/generator.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { IdWords } from "../../results/traces/trace_ids.ts";
import type { NumberRange } from "../limiter/iteration_numbers.ts";
import type { AskedStop } from "../vu/stop.ts";
import type { FromWorker, TokenResponse } from "../workers/message.ts";
import type { PartialReport, ShardShare } from "../workers/worker_pool.ts";
import type { GivenVariables } from "../vu/job.ts";
import type { Agreement } from "./handshake.ts";

/** The records of a shard, and their cost on its machine. */
export type ShardReport = Required<Pick<ShardShare, "workers" | "cost">>;

/** A message of the lead. */
export type ToShard =
  /** The shard takes part; its traces have the ids of the run. */
  | { readonly type: "joined"; readonly ids: IdWords }
  | { readonly type: "turned-away"; readonly message: string }
  | { readonly type: "ping" }
  /** When the run begins, on the shard's own clock. */
  | {
    readonly type: "run";
    readonly startsAt: number;
    readonly given: GivenVariables | undefined;
  }
  | { readonly type: "numbers"; readonly range: NumberRange | undefined }
  | ({ readonly type: "stop" } & AskedStop)
  | { readonly type: "alive" }
  /** The run is stored, and the shard's share with it. */
  | { readonly type: "stored" }
  | TokenResponse;

/** A message of a shard; in part those of a worker thread to its main thread. */
export type FromShard =
  | { readonly type: "join"; readonly agreement: Agreement }
  /** Its clock, in response to a ping. */
  | { readonly type: "pong"; readonly now: number }
  | { readonly type: "progress"; readonly progress: readonly Progress[] }
  /** It needs more iteration numbers. */
  | { readonly type: "need"; readonly count: number }
  | {
    readonly type: "so-far";
    readonly workers: readonly PartialReport[];
    readonly cost: GeneratorCost;
  }
  | { readonly type: "share"; readonly report: ShardReport }
  /** It was stopped by a signal: what it has is all there will be. */
  | {
    readonly type: "left";
    readonly report: ShardReport;
    readonly why: string;
  }
  | { readonly type: "alive" }
  | Extract<
    FromWorker,
    { readonly type: "ready" | "refused" | "token" | "stop" | "broken" }
  >;
