import { Refused } from "../../base/errors/bench_error.ts";
import { systemClock } from "../../base/time/clock.ts";
import { readJson } from "../../base/values/read_json.ts";
import { sum } from "../../base/values/sum.ts";
import { joinedFlow } from "../../language/flow/mix.ts";
import type { Flow, Mix } from "../../language/ir.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { ONCE } from "../../model/result/trace.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import { makeRunId, ofStored, storeError } from "../../results/store/layout.ts";
import {
  readAgent,
  readMeta,
  readStoredFlow,
} from "../../results/store/reader.ts";
import { createRun, type RunWriter } from "../../results/store/run_writer.ts";
import { locator } from "../run_context/facts.ts";
import { OtherRows } from "../run_context/other_rows.ts";
import type { EndedRun } from "../run_context/run_context.ts";
import { storeRecorded } from "../run_context/store_reports.ts";
import { allShards } from "../run_context/shards.ts";
import type { StoredShare } from "../run_context/stored_share.ts";
import type { ShardShare } from "../workers/worker_pool.ts";
import { readShare } from "./read_share.ts";

/** The shares cannot be put together; nothing was written. */
export class MergeRefused extends Refused {
  override readonly name = "MergeRefused";
}

/** A share, and the run directory it is from. */
interface FoundShare extends StoredShare {
  readonly dir: string;
}

/**
 * The shares of one run, by shard.
 *
 * @param tolerateLost how many of them may be missing
 * @throws {MergeRefused} when they are not of one run, or not all there
 * @throws {StoreError} when one cannot be read
 */
async function fittingShares(
  dirs: readonly string[],
  tolerateLost: number,
): Promise<readonly FoundShare[]> {
  const shares: FoundShare[] = [];
  for (const dir of dirs) {
    const whole = await wholeRun(dir);
    if (whole) throw whole;
    const share = await readShare(dir);
    if (!share) throw noShare(dir);
    shares.push({ ...share, dir });
  }
  const [first, ...rest] = shares;
  if (!first) throw new MergeRefused("there is no run directory to merge");
  for (const each of rest) checkSame(first, each);
  checkApart(shares);
  const sorted = shares.toSorted((a, b) => a.shard.index - b.shard.index);
  checkWhole(sorted, tolerateLost);
  return sorted;
}

/** A lead that was killed when it had stored the run leaves shards that do not know. */
async function wholeRun(dir: string): Promise<MergeRefused | undefined> {
  const meta = await readMeta(dir, systemClock.wall()).catch(() => undefined);
  const { shards = [] } = meta ?? {};
  if (shards.length === 0) return undefined;
  if (shards.some((each) => each.lost_at_ms !== null)) return undefined;
  return new MergeRefused(
    `\`${dir}\` is the whole run: its lead stored every share`,
    "there is nothing to join: look at it with `bench serve`",
  );
}

function noShare(dir: string): MergeRefused {
  return new MergeRefused(
    `\`${dir}\` is not the share of a shard: it has no share.json`,
    "a shard that lost its lead has one, and a lead that lost a shard or was killed: leave this one out, and accept it with --tolerate-lost",
  );
}

/** The facts that shares of one run have in common, in the words of a person. */
const COMMON: readonly (readonly [
  name: string,
  of: (share: StoredShare) => string | number,
])[] = [
  ["the flow", ({ facts }) => facts.flow],
  ["what the flow says", ({ facts }) => facts.irSha256.slice(0, 12)],
  ["the version of bench", ({ facts }) => facts.benchVersion],
  ["the target", ({ facts }) => facts.target],
  ["the seed", ({ facts }) => facts.seed],
  ["the number of shards", ({ shard }) => shard.count],
];

function checkSame(first: FoundShare, other: FoundShare): void {
  const differing = COMMON.flatMap(([name, of]) => {
    const [a, b] = [of(first), of(other)];
    return a === b ? [] : [`${name} differs (${a} and ${b})`];
  });
  const message = `\`${first.dir}\` and \`${other.dir}\` are not of one run`;
  if (differing.length > 0) {
    throw new MergeRefused(`${message}: ${differing.join(", ")}`);
  }
  // Every shard gives traces the ids that its lead chose at random.
  if (idsOf(first) === idsOf(other)) return;
  throw new MergeRefused(`${message}: the flow was run twice`);
}

function idsOf({ workers }: StoredShare): string {
  return workers[0]!.snapshot.ids.join();
}

/** Refuses the share of one shard under two numbers: it would count twice. */
function checkApart(shares: readonly FoundShare[]): void {
  shares.forEach((each, nth) => {
    const before = shares.slice(0, nth).find(({ shard, facts }) =>
      shard.index === each.shard.index || facts.id === each.facts.id
    );
    if (!before) return;
    throw new MergeRefused(
      `shard ${
        shardName(before)
      } is there twice: \`${before.dir}\` and \`${each.dir}\``,
    );
  });
  const { plan: { iterations = Infinity } } = shares[0]!;
  const started = sum(
    shares.flatMap((each) => each.workers),
    (each) => each.snapshot.iterations.started,
  );
  if (started <= iterations) return;
  throw new MergeRefused(
    `the shares have ${started} iterations together, the run has ${iterations}`,
  );
}

function checkWhole(
  shares: readonly FoundShare[],
  tolerateLost: number,
): void {
  const missing = missingOf(shares);
  if (missing.length <= tolerateLost) return;
  const { count } = shares[0]!.shard;
  const one = missing.length === 1;
  throw new MergeRefused(
    `shard${one ? "" : "s"} ${missing.join(", ")} of ${count} ${
      one ? "is" : "are"
    } missing`,
    `give ${
      one ? "its run directory" : "their run directories"
    } as well, or go without with --tolerate-lost ${missing.length}`,
  );
}

/** The shards that no run directory is of. */
function missingOf(shares: readonly FoundShare[]): readonly number[] {
  const there = new Set(shares.map(({ shard }) => shard.index));
  return Array.from({ length: shares[0]!.shard.count }, (_, index) => index)
    .filter((index) => !there.has(index));
}

function shardName({ shard: { index, count } }: StoredShare): string {
  return `${index} of ${count}`;
}

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
  const shares = await ofStored(() => fittingShares(dirs, tolerateLost));
  const startedAt = Math.min(...shares.map((each) => each.facts.startedAt));
  const { facts } = shares[0]!;
  const id = makeRunId(facts.flow, startedAt, chance);
  const flow = await ofStored(() => readStoredFlow(shares[0]!.dir));
  // A directory whose name begins with a dot is no run.
  const writer = await createRun(storeDir, `.${id}`);
  try {
    const run = {
      ...endedRun(shares, writer, {
        facts: { ...facts, id, startedAt },
        flow,
        tolerateLost,
      }),
      ...await ofStored(() => onceOf(shares[0]!)),
    };
    await writer.writeFlow(flow);
    const agent = await agentOf(shares);
    const durationMs = Math.max(...shares.map((each) => each.cost.durationMs));
    const recorded = allShards(allShares(shares), durationMs);
    const { meta, unsaved } = await storeRecorded(run, recorded, agent);
    if (unsaved) throw unsaved;
    return { directory: await publish(writer, id), meta };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** The `setup` and `teardown` of the lead; their traces stay where they are. */
async function onceOf(
  { shard, dir }: FoundShare,
): Promise<Pick<EndedRun, "setup" | "teardown">> {
  if (shard.index !== 0) return {};
  const meta = await readMeta(dir, systemClock.wall());
  return Object.fromEntries(
    ONCE.flatMap((list) => {
      const { trace_id: _, ...summary } = meta[list] ?? {};
      return meta[list] ? [[list, { summary }]] : [];
    }),
  );
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
    flow: joinedFlow(readJson(flow) as unknown as Flow | Mix),
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
      part: { tolerateLost },
      notes: [`joined from the shares of ${ids}`, ...notes],
    },
    workers: {},
    listeners: [],
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

/** The shares of all shards; one whose run directory is missing is lost from the beginning. */
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

/** The samples of the agent; those of the lead where there are any. */
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
