import type { Span } from "../../base/text/span.ts";
import type { Reader } from "./reader.ts";

/** A number as JSON has it; reports what JSON has no number for. */
export function jsonNumber(
  value: number,
  text: string,
  span: Span,
  reader: Reader,
): number {
  if (Number.isFinite(value)) return value;
  reader.report(
    span,
    "number-out-of-range",
    `JSON has no number for \`${text}\``,
    `for the text, quote it: "${text}"`,
  );
  return 0;
}

/** Reports half of a surrogate pair, which neither UTF-8 nor JSON can say. */
export function wellFormed(text: string, span: Span, reader: Reader): string {
  if (text.isWellFormed()) return text;
  reader.report(
    span,
    "lone-surrogate",
    "this text has half a surrogate pair in it, which is no character",
    "write the character itself, or \\U and its eight digits",
  );
  return text.toWellFormed();
}
