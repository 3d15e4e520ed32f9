import { lineOf, type SourceRange } from "./location.ts";

/**
 * The part `inside` of what is written at `range`: on the rest of that line,
 * on the deeper-indented lines that follow it (a block scalar), or before it on
 * the line (the value's key). White space
 * just inside `{{ }}` may differ, and a part of a name be in brackets, because the IR
 * spells templates in one way.
 * Returns `range` itself when `inside` is not found.
 */
export function rangeWithin(
  range: SourceRange,
  source: string,
  inside: string,
): SourceRange {
  const found = inside === "" ? undefined : search(range, source, inside);
  return found ? { ...range, ...found } : range;
}

function search(
  range: SourceRange,
  source: string,
  inside: string,
): SourceRange | undefined {
  const first = lineOf(source, range.line);
  if (first === undefined) return;
  const pattern = patternOf(inside);
  const indent = indentOf(first);
  // The IR spells a header's name in one letter case.
  const here = find(pattern, first, range.column - 1, range.line) ??
    find(new RegExp(pattern, "gi"), first, range.column - 1, range.line);
  if (here) return here;
  for (let at = range.line + 1;; at++) {
    const line = lineOf(source, at);
    if (line === undefined) break;
    if (line.trim() !== "" && indentOf(line) <= indent) break;
    const found = find(pattern, line, 0, at);
    if (found) return found;
  }
  // An error in a key, whose value `range` is.
  return find(pattern, first, 0, range.line);
}

/**
 * The key before the value that is written at `range`, or above it where the value begins
 * on a line of its own; its name may be in the value too.
 */
export function rangeOfKey(
  range: SourceRange,
  source: string,
  key: string,
): SourceRange {
  let { line } = range;
  let before = lineOf(source, line)?.slice(0, range.column - 1);
  while (before !== undefined && /^[\s-]*(?:#|$)/.test(before)) {
    before = lineOf(source, --line);
  }
  const at = key === "" ? -1 : before?.lastIndexOf(key) ?? -1;
  return at < 0
    ? rangeWithin(range, source, key)
    : { line, column: at + 1, length: key.length };
}

/** A position in a text that is a part of a file; 1-based, as its parser says it. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/**
 * The range in the file of `position` in the YAML scalar written at `range`. Exact in
 * a literal block scalar (`|`) and in a text of one line without escapes; the
 * scalar itself where lines are folded.
 */
export function rangeAt(
  range: SourceRange,
  source: string,
  position: TextPosition,
): SourceRange {
  const first = lineOf(source, range.line)?.slice(range.column - 1) ?? "";
  const length = position.length ?? 1;
  if (first.startsWith("|")) {
    const line = range.line + position.line;
    const indent = blockIndent(source, range.line, first);
    return { ...range, line, column: indent + position.column, length };
  }
  const triple = /^(?:"""|''')/.test(first) ? 3 : 0;
  if (triple > 0 && position.line > 1) {
    // In Python, what follows the first line begins where its line begins.
    const line = range.line + position.line - 1;
    return { ...range, line, column: position.column, length };
  }
  if (position.line > 1 || /^>|\\|^'.*''/.test(first)) return range;
  const quote = triple || (/^["']/.test(first) ? 1 : 0);
  // A name of a program stands for the text.
  if (quote === 0 && position.column > range.length) return range;
  return {
    ...range,
    column: range.column + quote + position.column - 1,
    length,
  };
}

/** White space before every line of a block scalar (YAML 1.2.2 section 8.1.1.1). */
function blockIndent(source: string, header: number, first: string): number {
  const indicator = /^\|[+-]?([1-9])/.exec(first)?.[1];
  if (indicator !== undefined) {
    return indentOf(lineOf(source, header) ?? "") + Number(indicator);
  }
  for (let at = header + 1;; at++) {
    const line = lineOf(source, at);
    if (line === undefined) return 0;
    if (line.trim() !== "") return indentOf(line);
  }
}

function find(
  pattern: RegExp,
  line: string,
  from: number,
  number: number,
): SourceRange | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(line);
  if (!match) return;
  return { line: number, column: match.index + 1, length: match[0].length };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A pattern has an end; a longer text is found by its beginning. */
const LONGEST = 1_000;

function patternOf(text: string): RegExp {
  const beginning = text.slice(0, LONGEST);
  const escaped = beginning.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const loose = escaped
    .replaceAll(/\\\{\\\{\s*/g, "\\{\\{\\s*")
    .replaceAll(/\s*\\\}\\\}/g, "\\s*\\}\\}")
    .replaceAll(
      /(?<=\{\\s\*[^{}]*)\\\.([\w-]+)/g,
      `(?:\\.$1|\\[['"]?$1['"]?\\])`,
    );
  return new RegExp(loose, "g");
}
