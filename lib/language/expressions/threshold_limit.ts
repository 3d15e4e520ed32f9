import { durationHint, parseDuration } from "../../base/values/duration.ts";
import {
  errorsOf,
  ExpressionError,
} from "../../base/errors/expression_error.ts";

const badValue = errorsOf("threshold-value");

const DECIMAL = "(?:\\d+(?:\\.\\d+)?|\\.\\d+)";
const EXPONENT = "[eE]([+-]?\\d+)";
const NUMBER = new RegExp(`^(${DECIMAL})(?:${EXPONENT})?\\s*(%?)$`);

/** Digits before the point, and zeros after it, up to which a pattern sees the size. */
const SEEN = 7;

/** A rate as a regular expression, for editors: a number from 0 to 1, or a percentage. */
export const SHARE = "(" + [
  "0*(0|1(\\.0+)?)",
  "0*\\.\\d+",
  "0*(\\d{1,2}(\\.\\d+)?|\\.\\d+|100(\\.0+)?)\\s*%",
  `(?:0+(?:\\.0+)?|\\.0+)${EXPONENT}\\s*%?`,
  `0*[1-9]\\d{${SEEN},}(?:\\.\\d+)?[eE]-\\d+\\s*%?`,
  `0*\\.0{${SEEN},}\\d+${EXPONENT}\\s*%?`,
  `(?:${withExponent(0)})`,
  `(?:${withExponent(2)})\\s*%`,
].join("|") + ")";

/** Numbers with an exponent that are at most 10 to the power of `most`. */
function withExponent(most: number): string {
  const each = Array.from({ length: SEEN }, (_, nth) => nth);
  return [
    ...each.flatMap((more) => [
      `0*[1-9]\\d{${more}}(?:\\.\\d+)?[eE]${atMost(most - more - 1)}`,
      `0*10{${more}}(?:\\.0+)?[eE]${exactly(most - more)}`,
    ]),
    ...each.flatMap((zeros) => [
      `0*\\.0{${zeros}}[1-9]\\d*[eE]${atMost(most + zeros)}`,
      `0*\\.0{${zeros}}10*[eE]${exactly(most + zeros + 1)}`,
    ]),
  ].join("|");
}

/** Exponents up to one of a single digit. */
function atMost(exponent: number): string {
  return exponent < 0
    ? `-0*(?:[${-exponent}-9]|[1-9]\\d+)`
    : `(?:-\\d+|\\+?0*[0-${exponent}])`;
}

function exactly(exponent: number): string {
  if (exponent === 0) return "[+-]?0+";
  return exponent < 0 ? `-0*${-exponent}` : `\\+?0*${exponent}`;
}

/** Reads a rate: `0.01`, `1%`. @throws {ExpressionError} */
export function shareLimit(text: string, offset: number): number {
  const match = NUMBER.exec(text);
  if (!match) {
    throw badValue(
      `"${text}" is not a rate: expected a number or a percentage`,
      offset,
      "for example 0.01 or 1%",
    );
  }
  // Moving the decimal point in the text keeps 1.1% at 0.011 exactly.
  const [, digits, exponent = "0", percent] = match;
  const share = Number(
    `${digits}e${Number(exponent) - (percent === "%" ? 2 : 0)}`,
  );
  if (share > 1) {
    throw badValue(
      `a rate is at most 1 (100%), but this is ${text}`,
      offset,
      percent === "%" ? undefined : `did you mean ${share}%?`,
    );
  }
  return share;
}

/** Reads a duration, in microseconds. @throws {ExpressionError} */
export function latencyLimit(text: string, offset: number): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new ExpressionError(
      "bad-duration",
      `latency compares with a duration: ${(error as Error).message}`,
      offset,
      durationHint(text),
    );
  }
}
