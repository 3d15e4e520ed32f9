import { RUN_SCHEMA } from "../result/run.ts";
import type { Outcome } from "../result/iteration.ts";
import type { Trace } from "../result/trace.ts";

/**
 * Where one trace lies in `traces.json`, with what a list of traces shows.
 *
 * `traces.idx` is JSON: `{"schema", "columns": [...], "rows": [[...], ...]}`,
 * one row a line, its cells in the order of `columns`. Offset and length are
 * bytes; the bytes from offset on are the trace's JSON and nothing else.
 */
export interface TraceEntry {
  readonly trace_id: string;
  readonly offset: number;
  readonly length: number;
  readonly iteration: number;
  readonly vu: number;
  readonly row: number | null;
  readonly outcome: Outcome;
  readonly start_us: number;
  readonly duration_us: number;
}

const COLUMNS = [
  "trace_id",
  "offset",
  "length",
  "iteration",
  "vu",
  "row",
  "outcome",
  "start_us",
  "duration_us",
] as const satisfies readonly (keyof TraceEntry)[];

/** The entry of a trace that lies at `offset`. */
export function entryOf(
  trace: Trace,
  offset: number,
  length: number,
): TraceEntry {
  const { trace_id, iteration, vu, row, outcome, start_us, duration_us } =
    trace;
  return {
    trace_id,
    offset,
    length,
    iteration,
    vu,
    row: row ?? null,
    outcome,
    start_us,
    duration_us,
  };
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

/** Reads `traces.idx`; undefined when it is not one this program wrote. */
export function parseIndex(text: string): TraceEntry[] | undefined {
  try {
    const { schema, columns, rows } = JSON.parse(text);
    if (schema !== RUN_SCHEMA || columns.join() !== COLUMNS.join()) return;
    return rows.map((cells: unknown[]) =>
      Object.fromEntries(COLUMNS.map((column, i) => [column, cells[i]]))
    );
  } catch {
    return;
  }
}

/**
 * The index of `traces.json` as it lies there, made from its lines. A line that
 * was cut off, as a killed run leaves it, is skipped.
 */
export function indexBytes(bytes: Uint8Array): TraceEntry[] {
  const entries: TraceEntry[] = [];
  const decoder = new TextDecoder();
  const NEWLINE = 10;
  const COMMA = 44;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline < 0 ? bytes.length : newline + 1;
    let end = newline < 0 ? bytes.length : newline;
    if (bytes[end - 1] === COMMA) end--;
    const trace = parseTrace(decoder.decode(bytes.subarray(start, end)));
    if (trace) entries.push(entryOf(trace, start, end - start));
    start = next;
  }
  return entries;
}

function parseTrace(line: string): Trace | undefined {
  if (!line.startsWith('{"trace_id"')) return;
  try {
    return JSON.parse(line);
  } catch {
    return;
  }
}
