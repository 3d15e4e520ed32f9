import type { PreparedRun } from "./compile.ts";
import { VERSION } from "./base/values/build.ts";
import type { RunPart } from "./engine/run_context/run_context.ts";
import {
  type Agreement,
  agreementOf,
  ShardRefused,
} from "./engine/shards/handshake.ts";
import { join, type JoinOptions } from "./engine/shards/join.ts";
import { LeadPool, type ShardListener } from "./engine/shards/lead_pool.ts";
import { ShardPool } from "./engine/shards/shard_pool.ts";
import type { Shard } from "./engine/plan/shard.ts";
import { planOf } from "./engine/run_context/facts.ts";
import { isFunctional } from "./model/mode.ts";

export { ShardRefused };
export type { RunPart, Shard };

/** The agreement that every shard of a run receives. */
export interface ShardIdentity
  extends Pick<Agreement, "seed" | "http" | "arrivals"> {
  readonly shard: Shard;
  /** Shared by all shards. */
  readonly token: string;
  readonly joinTimeoutMs: number;
  readonly version?: string;
}

/**
 * Leads a run of several processes: shard 0, which stores the run.
 *
 * @param listener where the others come to; closed at the end of the run
 * @throws {ShardRefused} when the run cannot be divided into so many shards
 */
export function leadRun(
  prepared: PreparedRun,
  listener: ShardListener,
  { shard, seed, http, arrivals, ...options }: ShardIdentity & {
    readonly say: (text: string) => void;
  },
): RunPart {
  checkShard(prepared, shard);
  const lead = {
    version: VERSION,
    ...options,
    listener,
    shards: shard.count,
    agreement: agreementOf(prepared, { seed, http, arrivals }),
  };
  return { shard, openPool: (task, tools) => new LeadPool(task, tools, lead) };
}

/**
 * Joins a run of several processes.
 *
 * @throws {ShardRefused} when the run cannot be divided into so many shards, and
 *   when the lead does not let it in, or does not respond
 */
export async function joinRun(
  prepared: PreparedRun,
  { seed, http, arrivals, ...options }:
    & ShardIdentity
    & Pick<JoinOptions, "connect" | "lead" | "clock" | "signal">,
): Promise<RunPart & { readonly orphaned: () => boolean }> {
  checkShard(prepared, options.shard);
  const joined = await join({
    version: VERSION,
    ...options,
    agreement: agreementOf(prepared, { seed, http, arrivals }),
  });
  let pool: ShardPool | undefined;
  const orphaned = () => pool?.orphaned ?? false;
  return {
    shard: options.shard,
    openPool: (task, tools) => pool = new ShardPool(task, tools, joined),
    keep: orphaned,
    orphaned,
  };
}

/** @throws {ShardRefused} when the run cannot be divided into so many shards */
export function checkShard(prepared: PreparedRun, { count }: Shard): void {
  const { mode, peakVus } = planOf(prepared, { seed: 1 });
  if (isFunctional(mode)) {
    throw new ShardRefused(
      `a run in ${mode} mode has no shards`,
      "only load, stress and soak runs can be divided",
    );
  }
  if (peakVus >= count) return;
  throw new ShardRefused(
    `${count} shards need ${count} VUs at least, the profile has ${peakVus}`,
    "every shard runs at least one VU: raise `vus`, or start fewer shards",
  );
}
