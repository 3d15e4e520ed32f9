import * as v from "valibot";
import { ExpressionError } from "../../base/errors/bench_error.ts";
import {
  durationHint,
  LONGER_THAN_0_PATTERN,
  parseDuration,
} from "../../base/values/duration.ts";
import { child } from "../../base/values/json.ts";
import { MOST_VUS } from "../../model/course.ts";
import { duration, grammar, longerThan0 } from "../fields/durations.ts";
import {
  type ObjectValue,
  optional,
  required,
  type ValueOf,
} from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { integer } from "../fields/scalars.ts";
import { entryOf, type MapNode } from "../source/node.ts";

const levelsOf = (digits: string) =>
  `\\s*(${digits})\\s*->\\s*(${digits})\\s+over\\s+`;
const FORM = new RegExp(`^${levelsOf("\\d+")}(\\S+)\\s*$`);
/** The digits of a number up to `MOST_VUS`, which is a power of ten. */
const DIGITS = `0*(?:\\d{1,${String(MOST_VUS).length - 1}}|${MOST_VUS})`;

/** A number of VUs that a ramp or a stage begins or ends with. */
export const level = integer({
  min: 0,
  max: MOST_VUS,
  others: { "(\\d+(?:\\.\\d+)?/\\w+)": "a rate is `arrival: $1`" },
});
const over_us = longerThan0.schema;
const schema = v.strictObject({
  from: level.schema,
  to: level.schema,
  over_us,
});

/** A linear change of the number of VUs: `<from> -> <to> over <duration>`. */
export const ramp = grammar({
  noun: "a ramp",
  pattern: `^${levelsOf(DIGITS)}${LONGER_THAN_0_PATTERN}\\s*$`,
  code: "bad-ramp",
  schema,
  parse(text) {
    const [, from, to, duration = ""] = FORM.exec(text) ?? refuse(
      `\`ramp\` must be "<from> -> <to> over <duration>", but it is "${text}"`,
      rampHint(text),
    );
    const levels = { from: Number(from), to: Number(to) };
    if (Math.max(levels.from, levels.to) > MOST_VUS) {
      refuse(`a ramp has at most ${MOST_VUS} VUs, but it is "${text}"`);
    }
    if (levels.from + levels.to === 0) {
      refuse("a ramp from 0 to 0 runs nothing");
    }
    return { ...levels, over_us: lengthOf(duration, text) };
  },
});
type Ramp = ValueOf<typeof ramp>;

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

const count = integer({ min: 1, max: MOST_VUS });
/** How `hold` is written in the IR. */
export const HOLD = { ir: "hold_us" } as const;

/** `vus` when it is a mapping. */
const ramped = mapping({
  ramp: required(ramp, "`<from> -> <to> over <duration>`, linear", {
    ir: "vus",
  }),
  hold: optional(duration, "how long the last level is held", HOLD),
});

/** The ramp that a text means, such as `1-50 over 30s`. */
function meantRamp(text: string): string | undefined {
  const [, from, to, number = "30", unit = "s"] =
    /^\s*(\d+)\s*(?:-*>|-|\.\.+|to|→)\s*(\d+)(?!\.?\d)(?:\D+(\d+(?:\.\d+)?)\s*([a-z]+))?/
      .exec(text) ?? [];
  return from === undefined
    ? undefined
    : `${from} -> ${to} over ${number}${unit}`;
}

function rampHint(text: string): string {
  const meant = meantRamp(text);
  return meant === undefined
    ? 'for example "1 -> 50 over 30s"'
    : `did you mean "${meant}"?`;
}

/** A ramp in the parts that it has elsewhere: `{ from: 1, to: 50, over: 30s }`. */
function inParts(node: MapNode): string {
  const [from, to, over] = ["from", "to", "over"].map((key) => {
    const value = entryOf(node, key)?.value;
    return value?.kind === "scalar" ? value.text : "";
  });
  return `${from} -> ${to} over ${over}`;
}

/** A number of VUs, or a ramp and how long its last level is held. */
export const vus: ObjectValue<{ vus: number | Ramp; hold_us?: number }> = {
  schema: ramped.schema,
  entries: { vus: v.union([count.schema, ramp.schema]) },
  form: { anyOf: [count.form, ramped.form] },
  inside: { fields: ramped.fields },
  read(slot) {
    const { node, pointer, reader } = slot;
    const meant = node.kind === "scalar"
      ? meantRamp(node.text)
      : node.kind === "map" && !entryOf(node, "ramp") &&
        meantRamp(inParts(node));
    if (meant) {
      return slot.refuse(
        "wrong-type",
        "`vus` must be a number or a mapping with `ramp`",
        `a ramp is \`vus: { ramp: ${meant} }\``,
        node.kind === "map" ? "a mapping without it" : undefined,
      );
    }
    if (node.kind === "scalar") {
      const level = count.read(slot);
      return level === undefined ? level : { vus: level };
    }
    const read = ramped.read(slot);
    reader.locate(child(pointer, "vus"), node.at);
    return read;
  },
};
