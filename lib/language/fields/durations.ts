import * as v from "valibot";
import {
  DURATION_PATTERN,
  durationHint,
  LONGER_THAN_0_PATTERN,
  parseDuration,
} from "../../base/values/duration.ts";
import { parseRate, type Rate, RATE_PATTERN } from "../../base/values/rate.ts";
import { grammar } from "./grammar.ts";
import { integer } from "./scalars.ts";
import type { Value } from "./value.ts";

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

const count = integer({ min: 1 }).schema;

/** A rate such as `50/s`; in lowest terms in the IR. */
export const rate: Value<Rate> = grammar({
  noun: "a rate, such as 50/s",
  pattern: `^\\s*${RATE_PATTERN}\\s*$`,
  code: "bad-rate",
  parse: parseRate,
  hint: (text) =>
    /^[1-9]\d*$/.test(text) ? `did you mean ${text}/s?` : undefined,
  takesNumbers: true,
  schema: v.strictObject({ count, per_us: count }),
});
