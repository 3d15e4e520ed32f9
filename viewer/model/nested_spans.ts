import type { Trace } from "../../lib/model/result/trace.ts";
import { waterfallOf, type WaterfallRow } from "./waterfall.ts";

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
