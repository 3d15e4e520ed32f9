import type { CheckKind } from "../../lib/model/result/iteration.ts";
import {
  isCheck,
  isExchange,
  type Span,
  type SpanKind,
  type Trace,
} from "../../lib/model/result/trace.ts";

/** All checks are of one kind here, and all exchanges. */
type RowKind = Exclude<SpanKind, CheckKind | "frames"> | "check";

/** One line of a waterfall. */
export interface WaterfallRow {
  readonly span: Span;
  /** Position in the file: the number of `#span-<n>`. */
  readonly number: number;
  readonly depth: number;
  /** Decides the colour of the bar. */
  readonly kind: RowKind;
  /** The step this belongs to. */
  readonly step: string;
  /** Whether that step passed. */
  readonly stepPassed: boolean;
}

/** Whether it did not pass. */
export function isBad(row: WaterfallRow): boolean {
  const { outcome } = row.span;
  return outcome !== undefined && outcome !== "passed" && !isNotYet(row);
}

/** Whether it is a condition of a poll that did not hold yet, and did in the end. */
export function isNotYet({ span, stepPassed }: WaterfallRow): boolean {
  return span.kind === "until" && span.outcome === "failed" && stepPassed;
}

/** The span of the step that each span belongs to; one that hangs on nothing is its own. */
export function rootsOf(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const roots = new Map<string, Span>();
  for (const span of spans) {
    // Parents are written before their children.
    const { span_id, parent_id } = span;
    const root = parent_id === undefined ? span : roots.get(parent_id) ?? span;
    roots.set(span_id, root);
  }
  return roots;
}

const DEEPEST = 32;

/** The spans of a trace as a tree, line by line, children by their start. */
export function waterfallOf(trace: Trace): WaterfallRow[] {
  const known = new Set(trace.spans.map((span) => span.span_id));
  const below = Map.groupBy(
    trace.spans.map((span, number) => ({ span, number })),
    // A span whose parent is missing is a root.
    ({ span: { parent_id } }) =>
      parent_id !== undefined && known.has(parent_id) ? parent_id : undefined,
  );
  const rows: WaterfallRow[] = [];
  const seen = new Set<number>();
  const walk = (parent: string | undefined, depth: number, root?: Span) => {
    const children = (below.get(parent) ?? []).toSorted((a, b) =>
      a.span.start_us - b.span.start_us || a.number - b.number
    );
    for (const { span, number } of children) {
      if (seen.has(number)) continue;
      seen.add(number);
      const step = root ?? span;
      rows.push({
        span,
        number,
        depth,
        kind: depth === 0 ? "step" : rowKind(span.kind),
        step: step.name,
        stepPassed: step.outcome === "passed",
      });
      if (depth < DEEPEST) walk(span.span_id, depth + 1, step);
    }
  };
  walk(undefined, 0);
  return rows;
}

function rowKind(kind: SpanKind): RowKind {
  if (isCheck(kind)) return "check";
  return isExchange(kind) ? "call" : kind;
}

/** Lines that a browser lays out without anyone waiting. */
const MOST = 250;

/** Which lines of a waterfall a page shows. */
export interface WaterfallPart {
  readonly rows: readonly WaterfallRow[];
  /** How many lines are before these. */
  readonly before: number;
  /** Span numbers that the parts before and after it begin with. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/**
 * The part of a long waterfall that holds a span: the one asked for, else the
 * first that did not pass.
 * Steps are not cut in two, unless they are too long themselves.
 */
export function partOf(
  rows: readonly WaterfallRow[],
  span = rows.find(isBad)?.number,
): WaterfallPart {
  const starts = startsOf(rows);
  const line = rows.findIndex(({ number }) => number === span);
  const at = Math.max(0, starts.findLastIndex((start) => start <= line));
  const [from, to] = [starts[at] ?? 0, starts[at + 1]];
  return {
    rows: rows.slice(from, to),
    before: from,
    previous: at > 0 ? rows[starts[at - 1]!]!.number : undefined,
    next: to === undefined ? undefined : rows[to]!.number,
  };
}

function startsOf(rows: readonly WaterfallRow[]): number[] {
  const starts = [0];
  let step = 0;
  rows.forEach(({ depth }, line) => {
    if (depth === 0) step = line;
    if (line - starts.at(-1)! < MOST) return;
    starts.push(step > starts.at(-1)! ? step : line);
  });
  return starts;
}

/** A span with times that fit into those of its parent. Microseconds. */
export interface NestedSpan extends WaterfallRow {
  readonly from: number;
  readonly to: number;
}

/**
 * The spans of a trace, parents before their children, none outside its parent
 * and none before its elder sibling ended: profilers show nothing else. Times
 * move by what rounding left over; a span of a hostile file may shrink to none.
 */
export function nestedSpans(trace: Trace): NestedSpan[] {
  const open: NestedSpan[] = [];
  let now = -Infinity;
  const closeTo = (depth: number) => {
    while (open.length > depth) now = Math.max(now, open.pop()!.to);
  };
  return waterfallOf(trace).map((row) => {
    closeTo(row.depth);
    const end = open.at(-1)?.to ?? Infinity;
    const from = Math.min(end, Math.max(now, row.span.start_us));
    const to = Math.min(
      end,
      Math.max(from, row.span.start_us + row.span.duration_us),
    );
    now = from;
    const nested = { ...row, from, to };
    open.push(nested);
    return nested;
  });
}
