import type { AgentSeries } from "../../model/result/agent.ts";
import type { RowSummary, RunMeta } from "../../model/result/run.ts";
import type { Histograms, Series } from "../../model/result/series.ts";
import type { Trace } from "../../model/result/trace.ts";
import { FILES, isRunId } from "./layout.ts";
import { readList } from "./list_part.ts";
import type { RowList } from "./run_files.ts";
import { parseMeta, parseRows, parseStored } from "./meta_schema.ts";
import { StoreError, storeError } from "./store_error.ts";
import { read, readIfThere, readJson } from "./stored_file.ts";
import { LineIndex, parseIndex, type TraceEntry } from "./trace_index.ts";

/** One directory of a store: a run, or why it cannot be read as one. */
type RunListing =
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
      listed.push({ id, dir, meta: await readMeta(dir, now) });
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
  const touched = await lastTouched(path);
  if (now - touched < STALE_MS) return meta;
  return {
    ...meta,
    status: "interrupted",
    abort_reason: "the process ended without finishing the run",
    // Counted until then; a run killed at once has its file's time alone.
    duration_ms: meta.duration_ms > 0
      ? meta.duration_ms
      : Math.max(0, touched - Date.parse(meta.started_at)),
  };
}

/** `flow.json`: the canonical IR. @throws {StoreError} */
export function readFlow(dir: string): Promise<string> {
  return read(`${dir}/${FILES.flow}`);
}

/** `series.json`; undefined when the run has none yet. @throws {StoreError} */
export function readSeries(dir: string): Promise<Series | undefined> {
  return readList(dir, FILES.series);
}

/**
 * Every row of an integration or system run, by iteration: those of `meta.json`
 * and those it has no room for.
 *
 * @throws {StoreError}
 */
export async function readRows(
  dir: string,
  { rows = [] }: RunMeta,
): Promise<readonly RowSummary[]> {
  const file = await readList<RowList>(dir, FILES.rows);
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
  return readList(dir, FILES.agent);
}

/**
 * What traces there are, in the order they were written: from `traces.idx`, or
 * from the lines of `traces.json` or `traces.json.part` where there is none.
 *
 * @throws {StoreError}
 */
export async function readTraceIndex(dir: string): Promise<TraceEntry[]> {
  const index = await readIfThere(`${dir}/${FILES.index}`);
  const path = await traceFile(dir);
  if (path === undefined) return [];
  const entries = index === undefined
    ? undefined
    : parseIndex(index, await sizeOf(path));
  // A run that is killed between index and rename has both, and they agree.
  return entries ?? await scanned(path);
}

/**
 * One trace, without reading the others; undefined when it was not kept.
 *
 * @param entries what `readTraceIndex` returned, when it is known
 * @throws {StoreError}
 */
export async function readTrace(
  dir: string,
  traceId: string,
  entries?: readonly TraceEntry[],
): Promise<Trace | undefined> {
  const known = entries ?? await readTraceIndex(dir);
  const entry = known.find((each) => each.trace_id === traceId);
  if (!entry) return;
  for await (const trace of eachTrace(dir, [entry])) return trace;
}

/**
 * Traces one after the other, one in memory at a time, through one open file.
 *
 * @param entries which, in the order expected; all of them when absent
 * @throws {StoreError}
 */
export async function* eachTrace(
  dir: string,
  entries?: readonly TraceEntry[],
): AsyncGenerator<Trace> {
  const selected = entries ?? await readTraceIndex(dir);
  const path = selected.length > 0 && await traceFile(dir);
  if (!path) return;
  using file = await open(path);
  for (const entry of selected) {
    const text = await readSlice(file, path, entry.offset, entry.length);
    const trace = parseStored(text, path) as Trace;
    if (trace.trace_id !== entry.trace_id) {
      throw new StoreError(
        `Cannot read \`${path}\`: ${FILES.index} does not fit it`,
      );
    }
    yield trace;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
}

/** In milliseconds since the epoch; a file system without times never ages. */
async function lastTouched(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).mtime?.getTime() ?? Infinity;
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
}

async function traceFile(dir: string): Promise<string | undefined> {
  for (const name of [FILES.traces, FILES.tracesPart]) {
    try {
      await Deno.stat(`${dir}/${name}`);
      return `${dir}/${name}`;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw storeError(`Cannot read \`${dir}/${name}\``, error);
    }
  }
}

/** The index as the lines of the file give it, a line in memory at a time. */
async function scanned(path: string): Promise<TraceEntry[]> {
  const lines = new LineIndex();
  const file = await open(path);
  try {
    for await (const bytes of file.readable) lines.add(bytes);
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
  return lines.end();
}

async function open(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
}

async function readSlice(
  file: Deno.FsFile,
  path: string,
  offset: number,
  length: number,
): Promise<string> {
  try {
    await file.seek(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const count = await file.read(bytes.subarray(at));
      if (count === null) break;
      at += count;
    }
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
}
