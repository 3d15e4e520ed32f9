import { type Cell, cellsOf } from "./display.ts";
import { lineOf } from "./lines.ts";
import type { SourceRange } from "./location.ts";

/** Columns of source text a frame shows; longer lines are cut. */
const WIDEST = 100;

/** A source line and the line of carets below it. */
interface Frame {
  readonly line: string;
  readonly carets: string;
}

/**
 * The source line of `range` with carets under it. A long line is cut around
 * the carets; tabs are repeated below so that they line up at any tab width.
 * Returns undefined when the source has no such line, or nothing on it.
 */
export function frameOf(source: string, range: SourceRange): Frame | undefined {
  const whole = lineOf(source, range.line);
  if (!whole) return;
  const [raw, cut] = windowOf(whole, range.column - 1);
  const cells = cellsOf(raw);
  const start = range.column - 1 - cut;
  const first = indexAt(cells, start);
  const last = Math.max(indexAt(cells, start + range.length), first + 1);
  const [from, to] = visible(cells, first, last);
  const shown = cells.slice(from, to);
  const cutLeft = from > 0 || cut > 0 ? "…" : "";
  const isCut = to < cells.length || cut + raw.length < whole.length;
  const cutRight = isCut ? "…" : "";
  const pad = cells.slice(from, first)
    .map(({ text, width }) => text === "\t" ? "\t" : " ".repeat(width)).join(
      "",
    );
  const marked = cells.slice(first, Math.min(last, to));
  const length = marked.reduce((sum, { width }) => sum + width, 0);
  return {
    line: cutLeft + shown.map(({ text }) => text).join("") + cutRight,
    carets: " ".repeat(cutLeft.length) + pad + "^".repeat(Math.max(1, length)),
  };
}

/** More than is shown; the rest of a long line is not looked at. */
const WINDOW = 3 * WIDEST;

/** The part of a long line around `at`, and how much is missing before it. */
function windowOf(line: string, at: number): readonly [string, number] {
  if (line.length <= 2 * WINDOW) return [line, 0];
  let from = Math.max(0, Math.min(at, line.length) - WINDOW);
  if (/[\udc00-\udfff]/.test(line[from] ?? "")) from--;
  return [line.slice(from, from + 2 * WINDOW), from];
}

/** The cell that holds the UTF-16 index; one past the end is allowed. */
function indexAt(cells: readonly Cell[], index: number): number {
  const found = cells.findIndex((cell) => cell.index >= index);
  return found < 0 ? cells.length : found;
}

/** The range of cells to show: all of a short line, else a window. */
function visible(
  cells: readonly Cell[],
  first: number,
  last: number,
): [from: number, to: number] {
  const total = cells.reduce((sum, { width }) => sum + width, 0);
  if (total <= WIDEST) return [0, cells.length];
  let from = first;
  let width = 0;
  // A third of the window goes to what leads up to the error.
  while (from > 0 && width + cells[from - 1]!.width <= WIDEST / 3) {
    width += cells[--from]!.width;
  }
  let to = first;
  while (to < cells.length && width + cells[to]!.width <= WIDEST) {
    width += cells[to++]!.width;
  }
  while (to === cells.length && from > 0 && width < WIDEST) {
    width += cells[--from]!.width;
  }
  return [from, Math.max(to, Math.min(last, first + 1))];
}
