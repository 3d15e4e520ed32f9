import { lineOf } from "../../base/text/lines.ts";
import type { SourceRange } from "../../base/text/location.ts";
import { conceal } from "./conceal.ts";

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
