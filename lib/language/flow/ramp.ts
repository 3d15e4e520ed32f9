import * as v from "valibot";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import {
  durationHint,
  LONGER_THAN_0_PATTERN,
  parseDuration,
} from "../../base/values/duration.ts";
import { longerThan0 } from "../fields/durations.ts";
import { grammar } from "../fields/grammar.ts";
import { integer } from "../fields/scalars.ts";
import type { ValueOf } from "../fields/value.ts";

const LEVELS = "\\s*(\\d+)\\s*->\\s*(\\d+)\\s+over\\s+";
const FORM = new RegExp(`^${LEVELS}(\\S+)\\s*$`);

const level = integer({ min: 0 }).schema;
const over_us = longerThan0.schema;
const schema = v.strictObject({ from: level, to: level, over_us });

/** A linear change of the number of VUs: `<from> -> <to> over <duration>`. */
export const ramp = grammar({
  noun: "a ramp",
  pattern: `^${LEVELS}${LONGER_THAN_0_PATTERN}\\s*$`,
  code: "bad-ramp",
  schema,
  parse(text) {
    const [, from, to, duration = ""] = FORM.exec(text) ?? refuse(
      `\`ramp\` must be "<from> -> <to> over <duration>", but it is "${text}"`,
      'for example "1 -> 50 over 30s"',
    );
    const levels = { from: Number(from), to: Number(to) };
    if (
      !Number.isSafeInteger(levels.from) || !Number.isSafeInteger(levels.to)
    ) {
      refuse("a ramp's numbers of VUs must be below 2^53");
    }
    if (levels.from + levels.to === 0) {
      refuse("a ramp from 0 to 0 runs nothing");
    }
    return { ...levels, over_us: lengthOf(duration, text) };
  },
});
export type Ramp = ValueOf<typeof ramp>;

function refuse(message: string, hint?: string): never {
  throw new ExpressionError("bad-ramp", message, 0, hint);
}

function lengthOf(duration: string, text: string): number {
  const at = text.lastIndexOf(duration);
  try {
    const micros = parseDuration(duration);
    if (micros > 0) return micros;
  } catch (error) {
    const message = `\`ramp\`: ${(error as Error).message}`;
    const hint = durationHint(duration);
    throw new ExpressionError("bad-duration", message, at, hint);
  }
  throw new ExpressionError(
    "out-of-range",
    `a ramp takes longer than 0, but this one takes ${duration}`,
    at,
    "for a constant number write `vus: <number>`",
  );
}
