import { ifPossible } from "../../base/values/if_possible.ts";
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { RUN_SCHEMA, type Stored } from "../../model/result/stored.ts";
import {
  cell,
  microseconds,
  ONCE,
  type Trace,
} from "../../model/result/trace.ts";
import { OUTCOME_NAMES } from "../../model/outcome.ts";

const n = v.number();
const position = v.pipe(n, v.safeInteger(), v.minValue(0));

/**
 * Where one trace lies in `traces.json`, with what a list of traces shows.
 *
 * `traces.idx` is JSON: `{"schema", "columns": [...], "rows": [[...], ...]}`,
 * one row a line, its cells in the order of `columns`. Offset and length are
 * bytes; the bytes from offset on are the trace's JSON and nothing else.
 */
export type TraceEntry = Stored<typeof traceEntry>;
const traceEntry = v.object({
  trace_id: v.string(),
  offset: position,
  length: position,
  iteration: n,
  /** See `Trace`; null for an iteration. */
  once: v.nullable(v.picklist(ONCE)),
  vu: n,
  row: v.nullable(n),
  outcome: v.picklist(OUTCOME_NAMES),
  start_us: microseconds,
  duration_us: microseconds,
  /** See `Trace`; null where every trace is kept. */
  rank: v.nullable(n),
  /** See `Trace`; null where every trace is kept, and in files that were written without it. */
  cells: v.nullable(v.array(cell)),
});

const COLUMNS = Object.keys(traceEntry.entries) as (keyof TraceEntry)[];

/** As earlier versions wrote them. */
const WITHOUT_CELLS = COLUMNS.filter((column) => column !== "cells");

/** The entry of a trace that lies at `offset`. */
export function entryOf(
  trace: Trace,
  offset: number,
  length: number,
): TraceEntry {
  const known = { ...trace, offset, length } as Partial<TraceEntry>;
  return entryWith((column) => known[column] ?? null) as TraceEntry;
}

function entryWith(
  cell: (column: keyof TraceEntry, index: number) => unknown,
): unknown {
  return Object.fromEntries(COLUMNS.map((each, i) => [each, cell(each, i)]));
}

/** The text of `traces.idx`. */
export function indexText(entries: readonly TraceEntry[]): string {
  const rows = entries.map((entry) =>
    JSON.stringify(COLUMNS.map((column) => entry[column]))
  );
  return `{"schema":${RUN_SCHEMA},"columns":${
    JSON.stringify(COLUMNS)
  },"rows":[\n` +
    `${rows.join(",\n")}\n]}\n`;
}

/**
 * Reads `traces.idx`; undefined when it is not one this program wrote, or not of
 * a `traces.json` of that many bytes.
 */
export function parseIndex(
  text: string,
  size: number,
): TraceEntry[] | undefined {
  try {
    const { schema, columns, rows } = JSON.parse(text);
    const known = [COLUMNS, WITHOUT_CELLS].some((each) =>
      each.join() === columns.join()
    );
    if (schema !== RUN_SCHEMA || !known) return;
    return rows.map((cells: readonly unknown[]) => {
      const entry = v.parse(traceEntry, entryWith((_, i) => cells[i] ?? null));
      const fits = entry.length <= MOST_TRACE &&
        entry.offset + entry.length <= size;
      if (!fits || cells.length !== columns.length) throw new RangeError(text);
      return entry;
    });
  } catch {
    return;
  }
}

/** The index of the bytes of `traces.json`. */
export function indexBytes(bytes: Uint8Array): TraceEntry[] {
  const lines = new LineIndex();
  lines.add(bytes);
  return lines.end();
}

/** Bytes of one trace at most; a longer line is none. */
const MOST_TRACE = 256 * 1024 * 1024;

const NEWLINE = 10;
const COMMA = 44;
/** The last line begins with it: `],"truncated":false}`. */
const BRACKET = 93;

/**
 * The index of `traces.json` as it lies there, made from its lines as they are
 * read. A line that was cut off, as a killed run leaves it, or is no trace is skipped.
 */
export class LineIndex {
  readonly #entries: TraceEntry[] = [];
  readonly #decoder = new TextDecoder();
  /** The beginning of the line that is not whole yet. */
  #held: Uint8Array[] = [];
  /** Bytes of that line so far; of one that is too long none are held. */
  #length = 0;
  /** Where that line begins in the file. */
  #start = 0;
  /** Its number, from 1. */
  #number = 1;
  /** The number of the first line between the two ends of the file that is no trace. */
  skipped: number | undefined;

  /** The bytes that follow those added before. */
  add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, from);
      const to = newline < 0 ? bytes.length : newline;
      this.#length += to - from;
      if (this.#length > MOST_TRACE) this.#held = [];
      else this.#held.push(bytes.subarray(from, to));
      if (newline < 0) return;
      this.#take(1);
      from = newline + 1;
    }
  }

  /** All that were found; nothing can be added after it. */
  end(): TraceEntry[] {
    this.#take(0);
    return this.#entries;
  }

  #take(after: number): void {
    const line = this.#held.length === 1
      ? this.#held[0]!
      : Buffer.concat(this.#held);
    const end = line.at(-1) === COMMA ? line.length - 1 : line.length;
    const trace = parseTrace(this.#decoder.decode(line.subarray(0, end)));
    const entry = trace && entryOf(trace, this.#start, end);
    if (entry && v.is(traceEntry, entry)) this.#entries.push(entry);
    else if (this.#number > 1 && line.length > 0 && line[0] !== BRACKET) {
      this.skipped ??= this.#number;
    }
    this.#number++;
    this.#start += this.#length + after;
    this.#length = 0;
    this.#held = [];
  }
}

function parseTrace(line: string): Trace | undefined {
  if (!line.startsWith('{"trace_id"')) return;
  return ifPossible(() => JSON.parse(line), undefined);
}
