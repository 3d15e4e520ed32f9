/** Where the lines of the text asked about last begin. */
let cached: { readonly text: string; readonly starts: readonly number[] } = {
  text: "",
  starts: [0],
};

/**
 * Line `number` (1-based) of `text` without its break; undefined when there is
 * no such line. A leading byte order mark belongs to no line.
 *
 * Many errors are looked up in one file, so the last text's lines are kept.
 */
export function lineOf(text: string, number: number): string | undefined {
  if (cached.text !== text) cached = { text, starts: startsOf(text) };
  const start = cached.starts[number - 1];
  if (start === undefined) return undefined;
  const next = cached.starts[number];
  const end = next === undefined ? text.length : next - 1;
  const hasReturn = end > start && text[end - 1] === "\r";
  return text.slice(start, hasReturn ? end - 1 : end);
}

/** Line and column (1-based) of the UTF-16 unit at `offset` of `text`. */
export function positionAt(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  if (cached.text !== text) cached = { text, starts: startsOf(text) };
  const { starts } = cached;
  let [line, beyond] = [0, starts.length];
  while (beyond - line > 1) {
    const middle = (line + beyond) >> 1;
    if (starts[middle]! <= offset) line = middle;
    else beyond = middle;
  }
  return { line: line + 1, column: Math.max(0, offset - starts[line]!) + 1 };
}

function startsOf(text: string): number[] {
  const starts = [text.startsWith("\ufeff") ? 1 : 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** A part of one line of a text: 1-based, in UTF-16 units. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  /** At least 1; a part that continues past its first line is cut there. */
  readonly length: number;
}

/** Where a part of an input was written, as exactly as is known. */
export interface SourceLocation {
  /** The file as the user named it. */
  readonly file: string;
  /** Absent for the file as a whole, and for data without a text. */
  readonly range?: SourceRange;
  /** JSON Pointer (RFC 6901) into data without a text. */
  readonly pointer?: string;
}

/** A part of a file that a flow names. */
export interface NamedFileLocation extends SourceLocation {
  /** The file's text, for the frame. */
  readonly text: string;
}

export const START: SourceRange = { line: 1, column: 1, length: 1 };

/**
 * Where each part of the IR was written, keyed by JSON Pointer (RFC 6901).
 *
 * Locations are kept here and never inside the IR, so that two surfaces that
 * mean the same flow produce the same bytes.
 */
export type SourceMap = ReadonlyMap<string, SourceLocation>;

/**
 * The location of `pointer`, or of its nearest ancestor that has one.
 * Returns undefined for a flow that has no source text (IR JSON).
 */
export function locationOf(
  map: SourceMap,
  pointer: string,
): SourceLocation | undefined {
  for (let at = pointer;; at = at.slice(0, at.lastIndexOf("/"))) {
    const location = map.get(at);
    if (location || at === "") return location;
  }
}
