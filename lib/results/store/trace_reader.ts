import { kindInName, type Span, type Trace } from "../../model/result/trace.ts";
import { FILES, unreadable } from "./layout.ts";
import { parseStored } from "./meta_schema.ts";
import { onFile, openStored, readIfThere } from "./stored_file.ts";
import { LineIndex, parseIndex, type TraceEntry } from "./trace_index.ts";

/** The head of `traces.json`. */
export interface TraceFacts {
  readonly policy: "all" | "sampled";
  /** A trace that should have been kept was left out, or the run was killed. */
  readonly truncated: boolean;
}

/** The first line and the last one are shorter than this. */
const EDGE_BYTES = 256;

/**
 * Which traces a run kept, read from the two ends of the file; undefined when
 * it has none. A run that was killed counts as truncated.
 *
 * @throws {StoreError}
 */
export async function readTraceFacts(
  dir: string,
): Promise<TraceFacts | undefined> {
  const path = await traceFile(dir);
  if (path === undefined) return;
  const { head, tail } = await readEdges(path);
  return {
    policy: head.includes('"policy":"sampled"') ? "sampled" : "all",
    truncated: !tail.endsWith(`${END}false}`),
  };
}

/** The last line of a whole file, without its value. */
const END = '],"truncated":';

/** The beginning of a file, and its end without line breaks. */
function readEdges(
  path: string,
): Promise<{ head: string; tail: string; size: number }> {
  return onFile("read", path, async () => {
    using file = await openStored(path);
    const head = await readSlice(file, 0, EDGE_BYTES);
    const { size } = await file.stat();
    const from = Math.max(0, size - EDGE_BYTES);
    const tail = await readSlice(file, from, EDGE_BYTES);
    return { head, tail: tail.trimEnd(), size };
  });
}

/**
 * The traces that there are, in the order they were written: from `traces.idx`, or
 * from the lines of `traces.json` or `traces.json.part` where there is none. The last
 * may be cut off; the first has that name only when it is whole.
 *
 * @throws {StoreError}
 */
export async function readTraceIndex(dir: string): Promise<TraceEntry[]> {
  const index = await readIfThere(`${dir}/${FILES.index}`);
  const path = await traceFile(dir);
  if (path === undefined) {
    if (index === undefined) return [];
    throw unreadable(
      `${dir}/${FILES.traces}`,
      `it is missing, but ${FILES.index} is there`,
    );
  }
  const { tail, size } = await readEdges(path);
  const whole = path.endsWith(`/${FILES.traces}`);
  if (
    whole && !(tail.endsWith(`${END}false}`) || tail.endsWith(`${END}true}`))
  ) {
    throw unreadable(path, `it is cut off after ${size} bytes`);
  }
  const entries = index === undefined ? undefined : parseIndex(index, size);
  // One that is killed before its index is written has its lines.
  return entries ?? await scanned(path, whole);
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
  using file = await onFile("read", path, () => openStored(path));
  for (const { trace_id, offset, length } of selected) {
    const text = await onFile(
      "read",
      path,
      () => readSlice(file, offset, length),
    );
    const trace = withKinds(parseStored(text, path) as Trace);
    if (trace.trace_id !== trace_id) {
      throw unreadable(path, `${FILES.index} does not fit it`);
    }
    yield trace;
  }
}

/**
 * The traces of these ids that were kept, by id.
 *
 * @throws {StoreError}
 */
export async function readTraces(
  dir: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Trace>> {
  const found = new Map<string, Trace>();
  if (ids.size === 0) return found;
  const entries = await readTraceIndex(dir);
  const named = entries.filter(({ trace_id }) => ids.has(trace_id));
  for await (const each of eachTrace(dir, named)) {
    found.set(each.trace_id, each);
  }
  return found;
}

/** Spans of earlier versions with their kinds. */
function withKinds(trace: Trace): Trace {
  // Nothing of the file is checked yet.
  if (!Array.isArray(trace.spans)) return trace;
  const spans: readonly Partial<Span>[] = trace.spans;
  if (spans.every((each) => each?.kind !== undefined)) return trace;
  return {
    ...trace,
    spans: trace.spans.map((each) =>
      typeof each?.name === "string" ? { ...kindInName(each), ...each } : each
    ),
  };
}

async function traceFile(dir: string): Promise<string | undefined> {
  for (const name of [FILES.traces, FILES.tracesPart]) {
    const path = `${dir}/${name}`;
    try {
      await onFile("read", path, () => Deno.stat(path));
      return path;
    } catch (error) {
      if (!((error as Error).cause instanceof Deno.errors.NotFound)) {
        throw error;
      }
    }
  }
}

/**
 * The index as the lines of the file give it, a line in memory at a time.
 *
 * @param whole every line of it has to be a trace
 */
function scanned(path: string, whole: boolean): Promise<TraceEntry[]> {
  return onFile("read", path, async () => {
    const lines = new LineIndex();
    const file = await openStored(path);
    for await (const bytes of file.readable) lines.add(bytes);
    const entries = lines.end();
    if (!whole || lines.skipped === undefined) return entries;
    throw unreadable(path, `line ${lines.skipped} is not a trace`);
  });
}

/** So many bytes as text, fewer at the end of the file. */
async function readSlice(
  file: Deno.FsFile,
  offset: number,
  length: number,
): Promise<string> {
  await file.seek(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const count = await file.read(bytes.subarray(at));
    if (count === null) break;
    at += count;
  }
  return new TextDecoder().decode(bytes.subarray(0, at));
}
