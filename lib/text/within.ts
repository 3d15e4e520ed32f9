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
  if (inside === "") return span;
  const first = lineOf(source, span.line);
  if (first === undefined) return span;
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
  return find(pattern, first, 0, span.line) ?? span;
}

function find(
  pattern: RegExp,
  line: string,
  from: number,
  number: number,
): Span | undefined {
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
