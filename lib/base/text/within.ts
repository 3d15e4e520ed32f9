import { lineOf } from "./lines.ts";
import type { Span } from "./span.ts";

/**
 * The place of `inside` in what is written at `span`: on the rest of that line,
 * on the deeper-indented lines that follow it (a block scalar), or before it on
 * the line (the value's key). White space
 * just inside `{{ }}` may differ, because the IR spells templates in one way.
 * Returns `span` itself when `inside` is not found.
 */
export function spanWithin(span: Span, source: string, inside: string): Span {
  const found = inside === "" ? undefined : search(span, source, inside);
  return found ? { ...span, ...found } : span;
}

type Place = Omit<Span, "file">;

function search(
  span: Span,
  source: string,
  inside: string,
): Place | undefined {
  const first = lineOf(source, span.line);
  if (first === undefined) return;
  const pattern = loosePattern(inside);
  const indent = indentOf(first);
  const here = find(pattern, first, span.column - 1, span.line);
  if (here) return here;
  for (let at = span.line + 1;; at++) {
    const line = lineOf(source, at);
    if (line === undefined) break;
    if (line.trim() !== "" && indentOf(line) <= indent) break;
    const found = find(pattern, line, 0, at);
    if (found) return found;
  }
  // A mistake in a key, whose value `span` is.
  return find(pattern, first, 0, span.line);
}

/** A place in a text that stands somewhere in a file; 1-based, as its parser says it. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/**
 * The place in the file of `place` in the YAML scalar written at `span`. Exact in
 * a literal block scalar (`|`) and in a text of one line without escapes; the
 * scalar itself where lines are folded.
 */
export function spanAt(span: Span, source: string, place: TextPlace): Span {
  const first = lineOf(source, span.line)?.slice(span.column - 1) ?? "";
  const length = place.length ?? 1;
  if (first.startsWith("|")) {
    const line = span.line + place.line;
    const indent = blockIndent(source, span.line, first);
    return { ...span, line, column: indent + place.column, length };
  }
  const triple = /^(?:"""|''')/.test(first) ? 3 : 0;
  if (triple > 0 && place.line > 1) {
    // In Python, what follows the first line begins where its line begins.
    const line = span.line + place.line - 1;
    return { ...span, line, column: place.column, length };
  }
  if (place.line > 1 || /^>|\\|^'.*''/.test(first)) return span;
  const quote = triple || (/^["']/.test(first) ? 1 : 0);
  // A name of a program stands for the text.
  if (quote === 0 && place.column > span.length) return span;
  return {
    ...span,
    column: span.column + quote + place.column - 1,
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
): Place | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(line);
  if (!match) return;
  return { line: number, column: match.index + 1, length: match[0].length };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function loosePattern(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const loose = escaped
    .replaceAll(/\\\{\\\{\s*/g, "\\{\\{\\s*")
    .replaceAll(/\s*\\\}\\\}/g, "\\s*\\}\\}");
  return new RegExp(loose, "g");
}
