import { causingSpan, type Trace } from "../../lib/model/result/trace.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { sampleSize } from "../../lib/results/traces/traces.ts";
import { type Outcome, OUTCOME_NAMES } from "../../lib/model/outcome.ts";
import { FlameTree } from "./flame.ts";
import { type KeptFailure, keptFailuresOf } from "./failures.ts";

/** The facts of a trace that its index entry lacks. */
export interface TraceNote {
  /** Steps that did not pass, with how they came out; the causing one first. */
  readonly bad: readonly { readonly step: string; readonly outcome: Outcome }[];
  /** Steps begun. */
  readonly steps: readonly string[];
  /** Statuses of its responses, each once. */
  readonly statuses: readonly number[];
  readonly attempts: number;
  /** The name of its fixture row. */
  readonly rowName?: string;
  /** Why the iteration did not pass. */
  readonly message?: string;
}

/** All kept traces of a run, drawn together. */
export interface TraceDigest {
  readonly notes: ReadonlyMap<string, TraceNote>;
  /** Of those that stand for the whole run. */
  readonly flame: FlameTree;
  /** Every step that did not pass. */
  readonly failures: readonly KeptFailure[];
  add(trace: Trace): void;
}

/**
 * A digest of no traces yet.
 *
 * @param entries of all that are going to be added
 * @param meta of the run: its sample is as large as its flows allow
 */
export function emptyDigest(
  entries: readonly TraceEntry[],
  meta?: Pick<RunMeta, "steps" | "flows">,
): TraceDigest {
  const size = sampleSize(meta?.steps.length ?? 0, meta?.flows?.length);
  const sample = new Set(
    sampleOf(entries, size).map(({ trace_id }) => trace_id),
  );
  const notes = new Map<string, TraceNote>();
  const flame = new FlameTree();
  const failures: KeptFailure[] = [];
  return {
    notes,
    flame,
    failures,
    add(trace) {
      notes.set(trace.trace_id, noteOf(trace));
      if (sample.has(trace.trace_id)) flame.add(trace);
      failures.push(...keptFailuresOf(trace));
    },
  };
}

function noteOf({ spans, row_name }: Trace): TraceNote {
  const roots = spans.filter((span) => span.parent_id === undefined);
  const statuses = new Set<number>();
  let attempts = 0;
  for (const span of spans) {
    if (span.kind !== "call") continue;
    attempts++;
    const status = span.attributes?.status;
    if (typeof status === "number") statuses.add(status);
  }
  const cause = causingSpan(roots);
  const message = cause?.failure?.message;
  return {
    steps: roots.map((span) => span.name),
    bad: roots.toSorted((a, b) => Number(b === cause) - Number(a === cause))
      .flatMap(({ name, outcome }) =>
        outcome === undefined || outcome === "passed"
          ? []
          : [{ step: name, outcome }]
      ),
    statuses: [...statuses],
    attempts,
    ...(message !== undefined && { message }),
    ...(row_name !== undefined && { rowName: row_name }),
  };
}

/**
 * Of kept traces those that stand for the whole run: the random sample, without
 * the failures and the slowest that were kept besides. All of them where every
 * trace was kept.
 */
function sampleOf(
  entries: readonly TraceEntry[],
  size: number,
): readonly TraceEntry[] {
  const ranked = entries.filter(({ rank }) => rank !== null);
  if (ranked.length === 0) return entries;
  const kept = new Set(
    ranked.toSorted((a, b) => b.rank! - a.rank!).slice(0, size),
  );
  return entries.filter((entry) => kept.has(entry));
}

/** Which traces are looked for; what is absent does not matter. */
interface TraceQuery {
  readonly outcome?: Outcome;
  readonly step?: string;
  readonly status?: number;
  /** Duration in milliseconds, from and up to. */
  readonly min?: number;
  readonly max?: number;
  /** Start in seconds since the run's start, from and before. */
  readonly t0?: number;
  readonly t1?: number;
  readonly vu?: number;
  /** A part of the id, of a failure's message, or of a step that did not pass. */
  readonly q?: string;
  readonly sort: typeof TRACE_SORTS[number];
  /** The trace after which to go on. */
  readonly cursor?: string;
  readonly limit: number;
}

/** Traces that fit, a page of them. */
interface TraceSelection {
  readonly entries: readonly TraceEntry[];
  readonly total: number;
  /** Cursor of the page after this one, when there is one. */
  readonly next?: string;
  /** No trace that fits has the cursor: this is the first page. */
  readonly isLost: boolean;
}

const PAGE = 100;
const MOST = 200;

export const TRACE_NUMBERS = ["status", "min", "max", "t0", "t1", "vu"];
export const TRACE_SORTS = ["time", "duration", "-duration"] as const;

/**
 * Reads the query of an address; what makes no sense is left out. VUs count
 * from 1 in it, as on the pages.
 */
export function readTraceQuery(fields: URLSearchParams): TraceQuery {
  const { vu, ...query } = readStoredQuery(fields);
  return { ...query, ...(vu !== undefined && { vu: vu - 1 }) };
}

/** Likewise, with VUs as they are stored: programs read them so. */
export function readStoredQuery(fields: URLSearchParams): TraceQuery {
  const number = (name: string): Partial<TraceQuery> => {
    const text = fields.get(name)?.trim();
    const value = Number(text);
    return text && Number.isFinite(value) ? { [name]: value } : {};
  };
  const outcome = fields.get("outcome");
  const sort = fields.get("sort");
  const step = fields.get("step");
  const q = fields.get("q")?.trim().toLowerCase();
  const cursor = fields.get("cursor");
  const limit = Math.trunc(Number(fields.get("limit"))) || PAGE;
  return {
    ...(isOutcome(outcome) && { outcome }),
    ...(step && { step }),
    ...(q && { q }),
    ...(cursor && { cursor }),
    ...Object.assign({}, ...TRACE_NUMBERS.map(number)),
    sort: TRACE_SORTS.find((each) => each === sort) ?? "time",
    limit: Math.min(MOST, Math.max(1, limit)),
  };
}

/** The fields of a query that choose nothing, as `name=value`. */
export function unusableFields(fields: URLSearchParams): string[] {
  const query = readStoredQuery(fields);
  return [...fields]
    .filter(([name, value]) =>
      value.trim() !== "" &&
      (name === "sort" ? query.sort !== value : !Object.hasOwn(query, name))
    )
    .map(([name, value]) => `${name}=${value}`);
}

function isOutcome(text: string | null): text is Outcome {
  return OUTCOME_NAMES.some((each) => each === text);
}

/** Whether it asks for what the index does not say. */
export function needsNotes({ step, q, status }: Partial<TraceQuery>): boolean {
  return step !== undefined || q !== undefined || status !== undefined;
}

/** @param notes what the index does not say; step, status and text need it */
export function selectTraces(
  entries: readonly TraceEntry[],
  notes: ReadonlyMap<string, TraceNote> | undefined,
  query: TraceQuery,
): TraceSelection {
  const fit = entries.filter((entry) =>
    fits(entry, notes?.get(entry.trace_id), query)
  );
  if (query.sort === "time") fit.sort((a, b) => a.start_us - b.start_us);
  else {
    const sign = query.sort === "duration" ? 1 : -1;
    fit.sort((a, b) => sign * (a.duration_us - b.duration_us));
  }
  const { cursor } = query;
  const after = fit.findIndex(({ trace_id }) => trace_id === cursor) + 1;
  const page = fit.slice(after, after + query.limit);
  const more = after + page.length < fit.length;
  return {
    entries: page,
    total: fit.length,
    isLost: cursor !== undefined && after === 0,
    ...(more && { next: page.at(-1)!.trace_id }),
  };
}

function fits(
  entry: TraceEntry,
  note: TraceNote | undefined,
  query: TraceQuery,
): boolean {
  const ms = entry.duration_us / 1_000;
  const at = entry.start_us / 1_000_000;
  if (query.outcome && entry.outcome !== query.outcome) return false;
  if (query.vu !== undefined && entry.vu !== query.vu) return false;
  if (ms < (query.min ?? 0) || ms > (query.max ?? Infinity)) return false;
  // A trace belongs to every second it lasts through.
  if (at + ms / 1_000 < (query.t0 ?? 0) || at >= (query.t1 ?? Infinity)) {
    return false;
  }
  if (query.step !== undefined && !note?.steps.includes(query.step)) {
    return false;
  }
  if (query.status !== undefined && !note?.statuses.includes(query.status)) {
    return false;
  }
  return query.q === undefined || [
    entry.trace_id,
    note?.message ?? "",
    ...(note?.bad.map((each) => each.step) ?? []),
  ].some((text) => text.toLowerCase().includes(query.q!));
}
