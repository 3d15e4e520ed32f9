import * as v from "valibot";
import {
  DURATION_PATTERN,
  durationHint,
  parseDuration,
} from "../../base/values/duration.ts";
import { grammar } from "./durations.ts";
import type { Value } from "./field.ts";

/** Fraction digits of a decimal: with more there is no digit left before the point. */
export const MOST_FRACTION = 15;

/** Whether a number can be drawn from these bounds: both ends, and all between. */
export function isSpan({ min, max }: { min: number; max: number }): boolean {
  return min <= max && Number.isSafeInteger(max - min + 1);
}

const BOUND = "-?\\d+(?:\\.\\d+)?";
const RANGE = new RegExp(`^\\s*(${BOUND})\\s*\\.\\.\\s*(${BOUND})\\s*$`);

/** A range of numbers, both bounds in it. */
interface Range {
  readonly min: number;
  readonly max: number;
  /** Fraction digits that both bounds are counted in. */
  readonly digits: number;
}

/** @throws {SyntaxError | RangeError} for a text that is no range */
function parseRange(text: string): Range {
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new SyntaxError(
      `"${text}" is not a range: expected two numbers with \`..\` between them, such as 1..9`,
    );
  }
  const digits = Math.max(fractionOf(from).length, fractionOf(to).length);
  const [min, max] = [scaled(from, digits), scaled(to, digits)];
  if (min > max) {
    throw new RangeError(`the range ${text.trim()} begins above its end`);
  }
  const fits = [min, max].every(Number.isSafeInteger) && isSpan({ min, max });
  if (digits > MOST_FRACTION || !fits) {
    throw new RangeError(
      `the range ${text.trim()} has more than 2^53 values, counted in its last digit`,
    );
  }
  return { min, max, digits };
}

function fractionOf(number: string): string {
  return number.split(".")[1] ?? "";
}

function scaled(number: string, digits: number): number {
  const [before = "", fraction = ""] = number.split(".");
  // -0 is 0 in JSON, and a bound in both.
  return Number(before + fraction.padEnd(digits, "0")) + 0;
}

function rangeHint(text: string): string | undefined {
  const [, from, to] = new RegExp(
    `^\\s*\\[?(${BOUND})\\s*(?:\\.{3}|-|,|:|to|->|\\.\\.=)\\s*(${BOUND})\\]?\\s*$`,
  ).exec(text) ?? [];
  if (from === undefined) {
    const [, high, low] = RANGE.exec(text) ?? [];
    return high !== undefined && Number(high) > Number(low)
      ? `did you mean ${low}..${high}?`
      : undefined;
  }
  return `did you mean ${from}..${to}?`;
}

function range(noun: string, bound: string): Value<Range> {
  return grammar({
    noun,
    pattern: `^\\s*${bound}\\s*\\.\\.\\s*${bound}\\s*$`,
    code: "bad-range",
    parse: parseRange,
    hint: rangeHint,
    takesNumbers: true,
    otherwise: "write the bounds with `..` between them: 1..9",
    // The IR has its parts.
    schema: v.any(),
  });
}

const anyRange = range("a range of whole numbers, such as 1..9", "-?\\d+");

/** A range of whole numbers. */
export const intRange: Value<Range> = {
  ...anyRange,
  read(slot) {
    const read = anyRange.read(slot);
    if (!read || read.digits === 0) return read;
    return slot.refuse(
      "bad-range",
      `${slot.what} must be a range of whole numbers`,
      "with digits after the point it is a `decimal`",
    );
  },
};

/** A range of numbers, which keep the digits of their bounds. */
export const decimalRange: Value<Range> = range(
  "a range, such as 0.50..99.99",
  BOUND,
);

/** The range in a text; undefined when it has none. */
export function rangeKind(text: string): "int" | "decimal" | undefined {
  const bounds = RANGE.exec(text);
  if (!bounds) return;
  return bounds.slice(1).some((each) => fractionOf(each!)) ? "decimal" : "int";
}

const micros = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const DURATIONS = /^\s*(\S+?)\s*\.\.\s*(\S+)\s*$/;

/** A range of durations, such as `1s..3s`. */
export const durationRange: Value<{ from_us: number; to_us: number }> = grammar(
  {
    noun: "a range of durations, such as 1s..3s",
    pattern: `^\\s*${DURATION_PATTERN}\\s*\\.\\.\\s*${DURATION_PATTERN}\\s*$`,
    code: "bad-range",
    parse(text) {
      const [, from, to] = DURATIONS.exec(text) ?? [];
      if (from === undefined || to === undefined) {
        throw new SyntaxError(
          `"${text}" is not a range: expected two durations with \`..\` between them, such as 1s..3s`,
        );
      }
      const [from_us, to_us] = [parseDuration(from), parseDuration(to)];
      if (from_us > to_us) {
        throw new RangeError(`the range ${text.trim()} begins above its end`);
      }
      return { from_us, to_us };
    },
    hint(text) {
      const [, from = "", to = ""] =
        /^\s*\[?(\S+?)\s*(?:\.\.\.?|-|,|:|to|->)\s*(\S+?)\]?\s*$/.exec(text) ??
          [];
      const bounds = [from, to].map((each) =>
        /^did you mean (\S+?)(?: or .*)?\?$/.exec(durationHint(each) ?? "")
          ?.[1] ?? each
      );
      try {
        const [least, most] = bounds.map((each) => ({
          text: each,
          us: parseDuration(each),
        }))
          .sort((a, b) => a.us - b.us);
        return `did you mean ${least!.text}..${most!.text}?`;
      } catch {
        return undefined;
      }
    },
    takesNumbers: true,
    schema: v.pipe(
      v.strictObject({ from_us: micros, to_us: micros }),
      v.check(
        ({ from_us, to_us }) => from_us <= to_us,
        "`from_us` must not be above `to_us`",
      ),
    ),
  },
);
