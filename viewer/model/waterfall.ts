import type { Span, Trace } from "../../lib/model/result/trace.ts";

/** One line of a waterfall. */
export interface WaterfallRow {
  readonly span: Span;
  /** Position in the file: the number of `#span-<n>`. */
  readonly number: number;
  readonly depth: number;
  /** What the bar is: it decides its colour. */
  readonly kind: "step" | "attempt" | "backoff" | "call" | "phase" | "check";
  /** The step this belongs to. */
  readonly step: string;
  /** Spans below it. */
  readonly below: number;
}

/** Whether it did not pass. */
export function isBad({ span }: WaterfallRow): boolean {
  return span.outcome !== undefined && span.outcome !== "passed";
}

const PHASES = new Set(["dns", "connect", "tls", "ttfb", "transfer"]);
const DEEPEST = 32;

/** The spans of a trace as a tree, line by line, children by their start. */
export function waterfallOf(trace: Trace): WaterfallRow[] {
  const known = new Set(trace.spans.map((span) => span.span_id));
  const below = new Map<string | undefined, { span: Span; number: number }[]>();
  trace.spans.forEach((span, number) => {
    // What hangs on a span that is not there is a root.
    const parent = span.parent_id !== undefined && known.has(span.parent_id)
      ? span.parent_id
      : undefined;
    const siblings = below.get(parent);
    if (siblings) siblings.push({ span, number });
    else below.set(parent, [{ span, number }]);
  });
  const rows: WaterfallRow[] = [];
  const seen = new Set<number>();
  const walk = (parent: string | undefined, depth: number, step: string) => {
    const children = (below.get(parent) ?? []).toSorted((a, b) =>
      a.span.start_us - b.span.start_us || a.number - b.number
    );
    for (const { span, number } of children) {
      if (seen.has(number)) continue;
      seen.add(number);
      const own = depth === 0 ? span.name : step;
      rows.push({
        span,
        number,
        depth,
        kind: kindOf(span, depth),
        step: own,
        below: below.get(span.span_id)?.length ?? 0,
      });
      if (depth < DEEPEST) walk(span.span_id, depth + 1, own);
    }
  };
  walk(undefined, 0, "");
  return rows;
}

function kindOf(span: Span, depth: number): WaterfallRow["kind"] {
  if (depth === 0) return "step";
  if (PHASES.has(span.name)) return "phase";
  if (span.name === "backoff") return "backoff";
  if (/^attempt \d+$/.test(span.name)) return "attempt";
  return /\.(extract|assert|until)@/.test(span.name) ? "check" : "call";
}
