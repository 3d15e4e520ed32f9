import { styleText } from "node:util";
import { charColumns } from "./columns.ts";
import { type Diagnostic, isError, type Severity } from "./diagnostic.ts";
import { escapeControls, jsonWithoutCommands } from "./display.ts";
import { lineOf, type SourceRange } from "./location.ts";

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
  /** The character to print, or an escape for one that must not be printed. */
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
    const width = isPlain ? 1 : text === char ? charColumns(char) : text.length;
    cells.push({ text, width, index });
    index += char.length;
  }
  return cells;
}

/**
 * Diagnostics as a person reads them, in file order:
 *
 *     flow.yaml:14:7: error: unknown key `assrt` in step `login`
 *        |
 *     14 |       assrt:
 *        |       ^^^^^
 *        = did you mean `assert`?
 *
 * @param sources source text by file name; a file without one gets no frame
 * @returns text that ends in a line break; empty without diagnostics
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  { color }: { readonly color: boolean },
): string {
  const paint = color ? styled : (_: Style, text: string) => text;
  return sortDiagnostics(diagnostics)
    .map((each) => renderOne(each, sources.get(each.at.file), paint))
    .join("\n");
}

/** A diagnostic as other programs read it; what is not known is null. */
export interface DiagnosticData {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: Severity;
  readonly pointer?: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** Diagnostics for machines, in file order. */
export function diagnosticData(
  diagnostics: readonly Diagnostic[],
): DiagnosticData[] {
  return sortDiagnostics(diagnostics).map((each) => ({
    file: each.at.file,
    line: each.at.range?.line ?? null,
    column: each.at.range?.column ?? null,
    severity: severityOf(each),
    ...(each.at.pointer !== undefined && { pointer: each.at.pointer }),
    code: each.code,
    message: each.message,
    hint: each.hint ?? null,
  }));
}

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const json = JSON.stringify(diagnosticData(diagnostics), null, 2);
  return `${jsonWithoutCommands(json)}\n`;
}

/**
 * Diagnostics as workflow commands, one a line, which GitHub shows beside the
 * file: `::error file=...,line=...,col=...::message`, or `::warning`.
 */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string {
  return sortDiagnostics(diagnostics).map(annotation).join("");
}

function annotation(diagnostic: Diagnostic): string {
  const { at: { file, range }, message, hint } = diagnostic;
  const properties = [
    `file=${escapeProperty(escapeControls(file))}`,
    ...(range ? [`line=${range.line}`, `col=${range.column}`] : []),
  ].join(",");
  const text = hint === undefined ? message : `${message}\n${hint}`;
  // A message may quote what a server sent.
  const lines = text.split("\n").map(escapeControls).join("\n");
  return `::${severityOf(diagnostic)} ${properties}::${escapeData(lines)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function severityOf(diagnostic: Diagnostic): Severity {
  return isError(diagnostic) ? "error" : "warning";
}

type Style = Severity | "location" | "gutter" | "caret";
type Paint = (style: Style, text: string) => string;

const STYLES = {
  error: ["bold", "red"],
  warning: ["bold", "yellow"],
  location: ["bold"],
  gutter: ["blue"],
  caret: ["red"],
} as const;

function styled(style: Style, text: string): string {
  return styleText([...STYLES[style]], text, { validateStream: false });
}

function renderOne(
  diagnostic: Diagnostic,
  source: string | undefined,
  paint: Paint,
): string {
  const { at: { range }, message, hint } = diagnostic;
  const severity = severityOf(diagnostic);
  const lines = [
    `${paint("location", `${locationText(diagnostic)}:`)} ${
      paint(severity, `${severity}:`)
    } ${escapeControls(message)}`,
  ];
  const frame = range && source !== undefined
    ? frameOf(source, range)
    : undefined;
  const number = String(range?.line ?? "");
  const margin = " ".repeat(frame ? number.length : 2);
  if (frame) {
    lines.push(
      paint("gutter", `${margin} |`),
      `${paint("gutter", `${number} |`)} ${frame.line}`.trimEnd(),
      `${paint("gutter", `${margin} |`)} ${
        frame.carets.replace(/\^+$/, (carets) => paint("caret", carets))
      }`,
    );
  }
  if (hint !== undefined) {
    lines.push(`${paint("gutter", `${margin} =`)} ${escapeControls(hint)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** `file:line:col`; an IR without source text is named by its JSON Pointer. */
function locationText({ at: { file, range, pointer } }: Diagnostic): string {
  const name = escapeControls(file);
  if (range) return `${name}:${range.line}:${range.column}`;
  return pointer ? `${name}#${escapeControls(pointer)}` : name;
}

/**
 * Diagnostics in file order (line, then column). Files keep the order in which
 * they first appear; a diagnostic without a line comes last in its file.
 */
function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ at }) => at.file))];
  return diagnostics.toSorted(({ at: a }, { at: b }) =>
    files.indexOf(a.file) - files.indexOf(b.file) ||
    compare(a.range?.line, b.range?.line) ||
    compare(a.range?.column, b.range?.column)
  );
}

function compare(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
