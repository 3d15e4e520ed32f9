import { escapeControls } from "./display.ts";
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

/** One character as a terminal shows it. */
interface Cell {
  /** What is printed: the character, or an escape for one that must not be. */
  readonly text: string;
  /** Terminal columns; a tab counts 1 here and is repeated in the caret line. */
  readonly width: number;
  /** UTF-16 index in the line. */
  readonly index: number;
}

/** A line as cells: control and bidirectional characters are escaped. */
function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let index = 0;
  for (const char of line) {
    const isPlain = char >= " " && char <= "~" || char === "\t";
    const text = isPlain ? char : escapeControls(char);
    const width = isPlain ? 1 : text === char ? widthOf(char) : text.length;
    cells.push({ text, width, index });
    index += char.length;
  }
  return cells;
}

/** Unicode Standard Annex 11, wide and full-width blocks. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function widthOf(char: string): number {
  const point = char.codePointAt(0)!;
  if (point < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(char)) return 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}
