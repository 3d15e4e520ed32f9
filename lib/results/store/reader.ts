import type { AgentSeries } from "../../model/result/agent.ts";
import type { RowSummary, RunMeta } from "../../model/result/run.ts";
import type { Histograms, Series } from "../../model/result/series.ts";
import { FILES, isRunId, StoreError, storeError } from "./layout.ts";
import { onFile, read, readJson, readList } from "./stored_file.ts";
import type { RowList } from "./run_files.ts";
import { parseMeta, parseRows } from "./meta_schema.ts";

/** One directory of a store: a run, or why it cannot be read as one. */
export type RunListing =
  | { readonly id: string; readonly dir: string; readonly meta: RunMeta }
  | { readonly id: string; readonly dir: string; readonly problem: string };

/** A `running` run whose `meta.json` was not touched for so long was killed. */
export const STALE_MS = 15_000;

/**
 * The runs of a store, newest first; none when there is no such directory.
 * Broken ones are in the list with their problem. Directories that neither
 * have a run's name nor a `meta.json` are ignored.
 *
 * @param now milliseconds since the Unix epoch
 * @throws {StoreError} when the store itself cannot be read
 */
export async function listRuns(
  storeDir: string,
  now: number,
): Promise<RunListing[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(storeDir)) {
      if (entry.isDirectory && !entry.name.startsWith(".")) {
        names.push(entry.name);
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw storeError(`Cannot read the run store \`${storeDir}\``, error);
  }
  const listed: RunListing[] = [];
  for (const id of names.sort().reverse()) {
    const dir = `${storeDir}/${id}`;
    try {
      // A copy goes by its own name, so that what names it leads to it.
      listed.push({ id, dir, meta: { ...await readMeta(dir, now), id } });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const missing = error.cause instanceof Deno.errors.NotFound;
      if (missing && !isRunId(id)) continue;
      const problem = missing ? `\`${dir}\` has no meta.json` : error.message;
      listed.push({ id, dir, problem });
    }
  }
  return listed;
}

/** Runs of one flow that are looked through for an earlier one. */
const MOST_EARLIER = 50;

/**
 * The newest run before one that is like it; undefined when there is none among the
 * last 50 of its flow. Runs that cannot be read are passed over.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function runBefore(
  storeDir: string,
  run: Pick<RunMeta, "id" | "flow" | "started_at">,
  now: number,
  isLike: (earlier: RunMeta) => boolean,
): Promise<RunMeta | undefined> {
  const second = (id: string) => id.slice(0, id.indexOf("-"));
  const earlier: string[] = [];
  let found: RunMeta | undefined;
  try {
    for await (const { name } of Deno.readDir(storeDir)) {
      const of = /^\d+T\d+Z-(.*)-[0-9a-f]+$/.exec(name)?.[1];
      const isEarlier = name !== run.id && second(name) <= second(run.id);
      if (of === run.flow && isEarlier) earlier.push(name);
    }
    for (const id of earlier.sort().reverse().slice(0, MOST_EARLIER)) {
      // Ids say the second alone: the last of several in one is looked for.
      if (found && second(id) < second(found.id)) break;
      const meta = await readMeta(`${storeDir}/${id}`, now).catch(() => {});
      if (
        meta?.status === "finished" && meta.started_at < run.started_at &&
        meta.started_at > (found?.started_at ?? "") && isLike(meta)
      ) found = meta;
    }
  } catch {
    // Without its store a run has none before it.
  }
  return found;
}

/**
 * `meta.json`. A run that says `running` but has not touched the file for 15 s
 * was killed, and is given as `interrupted`.
 *
 * @throws {StoreError}
 */
export async function readMeta(dir: string, now: number): Promise<RunMeta> {
  const path = `${dir}/${FILES.meta}`;
  const meta = parseMeta(await read(path), path);
  if (meta.status !== "running") return meta;
  const { mtime } = await onFile("read", path, () => Deno.stat(path));
  // A file system without times never ages.
  const touched = mtime?.getTime() ?? Infinity;
  if (now - touched < STALE_MS) return meta;
  return {
    ...meta,
    status: "interrupted",
    abort_reason: "the process ended without finishing the run",
    // As they stood then; nothing was judged.
    thresholds: [],
    // Counted until then; a run killed at once has its file's time alone.
    duration_ms: meta.duration_ms > 0
      ? meta.duration_ms
      : Math.max(0, touched - Date.parse(meta.started_at)),
  };
}

/** `flow.json`: the canonical IR. @throws {StoreError} */
export function readStoredFlow(dir: string): Promise<string> {
  return read(`${dir}/${FILES.flow}`);
}

/** `series.json`; undefined when the run has none yet. @throws {StoreError} */
export function readSeries(dir: string): Promise<Series | undefined> {
  return readList(dir, "series");
}

/**
 * Every row of an integration or system run, by iteration: those of `meta.json`
 * and those it has no room for.
 *
 * @throws {StoreError}
 */
export async function readStoredRows(
  dir: string,
  { rows = [] }: RunMeta,
): Promise<readonly RowSummary[]> {
  const file = await readList<RowList>(dir, "rows");
  if (!file) return rows;
  const others = parseRows(file.rows, `${dir}/${FILES.rows}`);
  return [...rows, ...others].sort((a, b) => a.iteration - b.iteration);
}

/** `histograms.json`, likewise. @throws {StoreError} */
export function readHistograms(dir: string): Promise<Histograms | undefined> {
  return readJson(`${dir}/${FILES.histograms}`);
}

/** `agent.json`; undefined when no agent responded. @throws {StoreError} */
export function readAgent(dir: string): Promise<AgentSeries | undefined> {
  return readList(dir, "agent");
}
