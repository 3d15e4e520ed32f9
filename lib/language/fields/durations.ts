import * as v from "valibot";
import type { GenericSchema } from "valibot";
import { ExpressionError } from "../../base/errors/bench_error.ts";
import {
  DURATION_PATTERN,
  durationHint,
  LONGER_THAN_0_PATTERN,
  NO_RATE_PATTERN,
  parseDuration,
  parseRate,
  type Rate,
  RATE_PATTERN,
} from "../../base/values/duration.ts";
import type { Value } from "./field.ts";
import { integer, reportTemplate, scalar, string } from "./scalars.ts";

/** A small language that a value is written in. */
interface Grammar<T> {
  /** With its article and an example, such as "a rate, such as 50/s". */
  readonly noun: string;
  /** The pattern of its texts, for editors; from the parser's own parts. */
  readonly pattern: string;
  /** Of a text it cannot read, when its error has none. */
  readonly code: string;
  /** @throws {SyntaxError | RangeError | ExpressionError} with what is wrong */
  parse(text: string): T;
  hint?(text: string): string | undefined;
  /** A number is read as the text it is; refused when absent. */
  readonly takesNumbers?: true;
  /** The way out for a list or a mapping, where numbers are taken. */
  readonly otherwise?: string;
  /** The IR. */
  readonly schema: GenericSchema<unknown, T>;
}

/** A value in a language of its own. */
export function grammar<T>(
  { noun, pattern, code, parse, hint, takesNumbers, otherwise, schema }:
    Grammar<T>,
): Value<T> {
  const form = { type: "string", pattern };
  const written = takesNumbers
    ? scalar({
      schema: string.schema,
      form,
      expected: noun,
      take: ({ value, text }) => value === null ? undefined : text,
      otherwise,
    })
    : string;
  return {
    schema,
    form,
    parse(text) {
      try {
        return parse(text);
      } catch (error) {
        if (error instanceof ExpressionError) throw error;
        const { message } = error as Error;
        throw new ExpressionError(code, message, 0, hint?.(text));
      }
    },
    read(slot) {
      const text = written.read(slot);
      if (text === undefined) return;
      try {
        return parse(text);
      } catch (error) {
        if (text.includes("{{")) return reportTemplate(slot, noun);
        if (error instanceof ExpressionError) {
          const { code, message, offset, hint } = error;
          const at = offset > 0 ? slot.inside(offset) : slot.node.at;
          return slot.report({ at, code, message, hint });
        }
        const message = `${slot.what}: ${(error as Error).message}`;
        return slot.report({ code, message, hint: hint?.(text) });
      }
    },
  };
}

function durationOf(
  least: { readonly us: number; readonly words: string },
  pattern: string,
): Value<number> {
  const any = grammar({
    noun: "a duration, such as 500ms or 1.5s",
    pattern: `^\\s*${pattern}\\s*$`,
    code: "bad-duration",
    parse: parseDuration,
    hint: durationHint,
    takesNumbers: true,
    schema: integer({ min: least.us }).schema,
  });
  return {
    ...any,
    read(slot) {
      const micros = any.read(slot);
      if (micros === undefined) return;
      if (micros >= least.us) return micros;
      const is = slot.node.kind === "scalar" ? slot.node.text : undefined;
      const must = `${slot.what} must be ${least.words}`;
      return slot.refuse("out-of-range", must, undefined, is);
    },
  };
}

/** A duration; microseconds in the IR. */
export const duration: Value<number> = durationOf(
  { us: 0, words: "at least 0" },
  DURATION_PATTERN,
);

/** A duration longer than 0. */
export const longerThan0: Value<number> = durationOf(
  { us: 1, words: "greater than 0" },
  LONGER_THAN_0_PATTERN,
);

/** `50`, `50 rps`, `50/sec`, `50 per minute` */
const RATE_ELSEWHERE =
  /^\s*([1-9]\d{0,5})\s*(?:r(?:eq(?:uest)?s?)?\s*)?(?:(?:\/|per|a|an|p)?\s*(s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:our)?))?$/i;

function rateOf(least: 0 | 1): Value<Rate> {
  const pattern = least === 1
    ? RATE_PATTERN
    : `(?:${RATE_PATTERN}|${NO_RATE_PATTERN})`;
  const none = new RegExp(`^\\s*${NO_RATE_PATTERN}\\s*$`);
  return grammar({
    noun: "a rate, such as 50/s",
    pattern: `^\\s*${pattern}\\s*$`,
    code: "bad-rate",
    parse: (text) =>
      least === 0 && none.test(text)
        ? { count: 0, per_us: 1 }
        : parseRate(text),
    hint(text) {
      const [, count, unit = "s"] = RATE_ELSEWHERE.exec(text) ?? [];
      return count && `did you mean ${count}/${unit[0]!.toLowerCase()}?`;
    },
    takesNumbers: true,
    schema: v.pipe(
      v.strictObject({
        count: integer({ min: least }).schema,
        per_us: integer({ min: 1 }).schema,
      }),
      v.check(
        ({ count, per_us }) => count <= per_us,
        "the rate must be at most 1000000/s",
      ),
    ),
  });
}

/** A rate such as `50/s`; in lowest terms in the IR. */
export const rate: Value<Rate> = rateOf(1);

/** A rate, or `0/s`. */
export const rateOrNone: Value<Rate> = rateOf(0);
