import { durationHint, parseDuration } from "../../base/values/duration.ts";
import {
  errorsOf,
  ExpressionError,
} from "../../base/errors/expression_error.ts";

const badValue = errorsOf("threshold-value");

export const DECIMAL = "(?:\\d+(?:\\.\\d+)?|\\.\\d+)";
export const EXPONENT = "[eE]([+-]?\\d+)";
const NUMBER = new RegExp(`^(${DECIMAL})(?:${EXPONENT})?\\s*(%?)$`);

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
