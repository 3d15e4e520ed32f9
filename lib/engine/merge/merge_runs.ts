import type { Flow } from "../../language/ir.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import { readJson } from "../../base/values/read_json.ts";
import { makeRunId } from "../../results/store/layout.ts";
import { readAgent, readFlow } from "../../results/store/reader.ts";
import { createRun, type RunWriter } from "../../results/store/run_writer.ts";
import { storeError } from "../../results/store/store_error.ts";
import { locator } from "../run_context/facts.ts";
import { OtherRows } from "../run_context/other_rows.ts";
import type { EndedRun } from "../run_context/run_context.ts";
import type { ShardShare } from "../workers/worker_pool.ts";
import { storeShares } from "../run_context/store_reports.ts";
import { fittingShares, type FoundShare, missingOf } from "./fitting_shares.ts";

export { MergeRefused } from "./fitting_shares.ts";

/** How run directories are put together. */
interface MergeOptions {
  readonly storeDir: string;
  /** Shards that may be missing, or lost, before the run counts as errored. */
  readonly tolerateLost: number;
  /** A number in [0, 1) for the id of the run. */
  readonly chance: () => number;
}

/** The run that was made. */
export interface MergedRun {
  readonly directory: string;
  readonly meta: RunMeta;
}

/**
 * Puts the run directories of shards together into one, as their lead would have
 * done it. It is there whole or not at all.
 *
 * @throws {MergeRefused} when they are not the shards of one run
 * @throws {StoreError} when something cannot be read or written
 */
export async function mergeRuns(
  dirs: readonly string[],
  { storeDir, tolerateLost, chance }: MergeOptions,
): Promise<MergedRun> {
  const shares = await fittingShares(dirs, tolerateLost);
  const startedAt = Math.min(...shares.map((each) => each.facts.startedAt));
  const { facts } = shares[0]!;
  const id = makeRunId(facts.flow, startedAt, chance);
  const flow = await readFlow(shares[0]!.dir);
  // A directory whose name begins with a dot is no run.
  const writer = await createRun(storeDir, `.${id}`);
  try {
    const run = endedRun(shares, writer, {
      facts: { ...facts, id, startedAt },
      flow,
      tolerateLost,
    });
    await writer.writeFlow(flow);
    const agent = await agentOf(shares);
    const durationMs = Math.max(...shares.map((each) => each.cost.durationMs));
    const { meta, unsaved } = await storeShares(
      run,
      allShares(shares),
      agent,
      durationMs,
    );
    if (unsaved) throw unsaved;
    return { directory: await publish(writer, id), meta };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Everything in run directories is free of secrets already. */
const NO_SECRETS = new Secrets();

function endedRun(
  shares: readonly FoundShare[],
  writer: RunWriter,
  { facts, flow, tolerateLost }: Pick<MergeOptions, "tolerateLost"> & {
    readonly facts: EndedRun["facts"];
    readonly flow: string;
  },
): EndedRun {
  const prepared = {
    flow: readJson(flow) as unknown as Flow,
    locations: new Map(shares.flatMap((each) => each.places)),
  };
  const stopped = shares.find((each) => each.stop && !lossOf(each, shares));
  const signal = shares.find((each) => each.signal)?.signal;
  const ids = shares.map((each) => each.facts.id).join(", ");
  const notes = new Set(shares.flatMap((each) => each.notes));
  return {
    prepared,
    facts,
    plan: shares[0]!.plan,
    secrets: NO_SECRETS,
    writer,
    traces: writer.openTraces("sampled"),
    otherRows: new OtherRows(NO_SECRETS, locator(prepared)),
    options: {
      stop: { reason: undefined, detail: "", ...stopped?.stop },
      signal: () => signal,
      tolerateLost,
      notes: [`joined from the shares of ${ids}`, ...notes],
    },
    workers: {},
    earlyEnd: { notes: () => [] },
  };
}

/** Why a share ends before the run does, where another goes on beyond it. */
function lossOf(
  { stop, cost, ticks }: FoundShare,
  [first]: readonly FoundShare[],
): ShardShare["lost"] {
  const { durationMs: atMs } = cost;
  if (ticks !== undefined) return { atMs, why: "it was killed" };
  const leadGoesOn = first!.shard.index === 0 && first!.ticks === undefined;
  return stop?.reason === "lead_lost" && leadGoesOn
    ? { atMs, why: stop.detail }
    : undefined;
}

/** Those that are missing are lost from the beginning. */
function allShares(found: readonly FoundShare[]): readonly ShardShare[] {
  const present = found.map((each): ShardShare => ({
    index: each.shard.index,
    workers: each.workers,
    cost: each.cost,
    lost: lossOf(each, found),
  }));
  const why = "its run directory was not given";
  const missing = missingOf(found).map((index): ShardShare => ({
    index,
    workers: [],
    lost: { atMs: 0, why },
  }));
  return [...present, ...missing].sort((a, b) => a.index - b.index);
}

/** What the agent reported; the lead's reading where there is one. */
async function agentOf(shares: readonly FoundShare[]) {
  for (const { dir } of shares) {
    const series = await readAgent(dir);
    if (series) return { series, notes: [] };
  }
  return { notes: [] };
}

/** Gives the directory its name, now that all of it is there. */
async function publish(writer: RunWriter, id: string): Promise<string> {
  writer.release();
  const directory = writer.dir.replace(/[^/]+$/, id);
  try {
    await Deno.rename(writer.dir, directory);
  } catch (error) {
    throw storeError(`Cannot make the run directory \`${directory}\``, error);
  }
  return directory;
}
