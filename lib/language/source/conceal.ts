import { lineOf, type SourceRange } from "../../base/text/location.ts";

/** A part of a text by its offsets; the end is not in it. */
export type Range = readonly [from: number, to: number];

/** Stands for each UTF-16 unit of what is hidden; YAML gives it no meaning. */
const DOT = "•";

/** Templates, what is left of broken ones but no more, and the word a scheme writes itself. */
const SHOWN =
  /\{\{\s*[a-z_](?:[\w.-]|\[(?:'[^'{}]*'|\\?"[^"{}]*")\])*\s*\}\}|\{\{\s*(?:env\.\w*\s*)?\}?|\}\}|^(?:Bearer|Basic)\s+(?=\S)/gi;

/**
 * `text` with dots in the place of what `ranges` hold; templates and line
 * breaks in there stay, so every line and column is where it was.
 */
export function conceal(text: string, ranges: readonly Range[]): string {
  let result = "";
  let at = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= at) {
      result += text.slice(at, from) + dotted(text.slice(from, to));
      at = Math.max(at, Math.min(to, text.length));
      continue;
    }
    // Dots are as long as what they hide: what overlaps is hidden once more.
    const end = Math.max(at, Math.min(to, text.length));
    const both = result.slice(from) + text.slice(at, end);
    result = result.slice(0, from) + dotted(both.slice(0, to - from)) +
      both.slice(to - from);
    at = end;
  }
  return result + text.slice(at);
}

function dotted(part: string): string {
  let result = "";
  let at = 0;
  for (const [from, to] of literalParts(part)) {
    result += part.slice(at, from) + part.slice(from, to).replaceAll(
      /\S(?:[^\r\n]*\S)?/g,
      (each) => DOT.repeat(each.length),
    );
    at = to;
  }
  return result + part.slice(at);
}

/** What is between the templates of a text. */
export function literalParts(text: string): Range[] {
  const found: Range[] = [];
  let at = 0;
  for (const { 0: shown, index } of text.matchAll(SHOWN)) {
    if (index > at) found.push([at, index]);
    at = index + shown.length;
  }
  if (at < text.length) found.push([at, text.length]);
  return found;
}

/** What credentials are called, in a program that writes a flow. */
const CREDENTIALS =
  /auth|bearer|basic|api_?key|cookie|hmac|token|passw|secret|credential/i;

/** A text in quotes, closed or to the end of its line; a number. */
const LITERAL = /("""|'''|["'])((?:(?!\1)[^\\]|\\.)+)(?:\1|$)|\b\d{4,}\b/g;

/**
 * The text of a program as frames show it: literals are dots on every line that
 * speaks of a credential.
 */
export function codeFrame(text: string): string {
  return text.split("\n")
    .map((line) => CREDENTIALS.test(line) ? withoutLiterals(line) : line)
    .join("\n");
}

/** `text` with dots for the literals of the part at `range`, on its first line. */
export function concealPart(text: string, range: SourceRange): string {
  const line = lineOf(text, range.line);
  if (line === undefined) return text;
  const from = range.column - 1;
  const to = from + range.length;
  const lines = text.split("\n");
  lines[range.line - 1] = line.slice(0, from) +
    withoutLiterals(line.slice(from, to)) + line.slice(to);
  return lines.join("\n");
}

function withoutLiterals(part: string): string {
  return part.replaceAll(LITERAL, (all, quote, inner) => {
    if (inner === undefined) return conceal(all, [[0, all.length]]);
    const at = quote.length;
    return conceal(all, [[at, at + inner.length]]);
  });
}
