import type { SourceLocation } from "../../base/text/location.ts";
import type { Reader } from "./reader.ts";

/** A number as JSON has it; reports what JSON has no number for. */
export function jsonNumber(
  value: number,
  text: string,
  at: SourceLocation,
  reader: Reader,
): number {
  if (Number.isFinite(value)) return value;
  reader.report({
    at,
    code: "number-out-of-range",
    message: `JSON has no number for \`${text}\``,
    hint: `for the text, quote it: "${text}"`,
  });
  return 0;
}

/** Reports half of a surrogate pair, which neither UTF-8 nor JSON can say. */
export function wellFormed(
  text: string,
  at: SourceLocation,
  reader: Reader,
): string {
  if (text.isWellFormed()) return text;
  reader.report({
    at,
    code: "lone-surrogate",
    message:
      "this text has half a surrogate pair in it, which is not a character",
    hint: "write the character itself, or \\U and its eight digits",
  });
  return text.toWellFormed();
}
