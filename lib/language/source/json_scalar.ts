import { shortened } from "../../base/text/display.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import {
  isExact,
  type JsonNumber,
  readNumber,
} from "../../base/values/numbers.ts";
import type { Reader } from "./reader.ts";

/** A number as JSON has it; reports what JSON has no number for. The digits of a long integer are those of its text. */
export function jsonNumber(
  value: number,
  text: string,
  at: SourceLocation,
  reader: Reader,
): number {
  if (Number.isFinite(value)) return value;
  // A double ends at 309 digits.
  if (exactNumber(value, text) !== undefined) {
    return Math.sign(value) * Number.MAX_VALUE;
  }
  const shown = shortened(text);
  reader.report({
    at,
    code: "number-out-of-range",
    message: `JSON has no number for \`${shown}\``,
    hint: `for the text, quote it: "${shown}"`,
  });
  return 0;
}

/** A number with all its digits; undefined when JSON here cannot hold them. */
export function exactNumber(
  value: number,
  text: string,
): JsonNumber | undefined {
  // Whole numbers may be hexadecimal or octal (YAML 1.2.2 section 10.3.2).
  if (/^0[xo]/i.test(text)) {
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  const number = readNumber(text.replace(/^\+/, ""));
  return typeof number === "bigint" || isExact(text) ? number : undefined;
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
