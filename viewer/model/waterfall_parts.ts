import { isBad, type WaterfallRow } from "./waterfall.ts";

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
