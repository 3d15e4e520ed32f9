import { DRAWS, fractionOf, keyOf, wordsOf } from "../base/time/random.ts";
import { DURATION_PATTERN } from "../base/values/duration.ts";
import { duration } from "../language/fields/durations.ts";
import {
  required,
  type Value,
  type ValueOf,
} from "../language/fields/field.ts";
import { inline, mapping, under } from "../language/fields/mapping.ts";
import { durationRange } from "../language/fields/ranges.ts";
import { entryOf, type Node } from "../language/source/node.ts";
import * as v from "valibot";
import { exchangeless, promised, type Protocol } from "./protocol.ts";

const between = mapping({
  between: required(
    durationRange,
    "drawn for each iteration, each length as likely as the others",
    { version: 1 },
  ),
}, { places: ["wait"] });
type Range = ValueOf<typeof durationRange>;
const DURATION = new RegExp(`^${DURATION_PATTERN}$`);

/** A length, or a range that it is drawn from. */
const length: Value<number | Range> = {
  schema: v.union([duration.schema, durationRange.schema]),
  form: { anyOf: [duration.form, between.form] },
  inside: { fields: between.fields },
  *parts(value, pointer) {
    if (typeof value === "object") yield { role: "since", pointer, ir: 2 };
  },
  read(slot) {
    const { node, reader } = slot;
    if (node.kind === "scalar" && node.text.includes("..")) {
      return slot.refuse(
        "bad-duration",
        `${slot.what} must be a duration, such as 500ms or 1.5s`,
        `did you mean { between: ${node.text.trim()} }?${
          reader.version > 0 ? "" : " It belongs to version 1"
        }`,
      );
    }
    const [least, most, ...others] = lengthsIn(node);
    if (least !== undefined && most !== undefined && others.length === 0) {
      return slot.refuse(
        "bad-duration",
        `${slot.what} must be a duration, such as 500ms or 1.5s`,
        `did you mean { between: ${least}..${most} }?${
          reader.version > 0 ? "" : " It belongs to version 1"
        }`,
      );
    }
    const isRange = node.kind === "map" &&
      (reader.version > 0 || entryOf(node, "between") !== undefined);
    return isRange ? between.read(slot)?.between : duration.read(slot);
  },
};

/** The durations of a list, or of a mapping such as `{ min: 1s, max: 3s }`. */
function lengthsIn(node: Node): string[] {
  const inside = node.kind === "list"
    ? node.items
    : node.kind === "map"
    ? node.entries.map(({ value }) => value)
    : [];
  return inside.flatMap((each) =>
    each.kind === "scalar" && DURATION.test(each.text) ? [each.text] : []
  );
}

const block = inline(under("duration_us", length));

/** Pauses; makes no request. */
export const wait: Protocol<ValueOf<typeof block>> = {
  kind: "wait",
  doc: "a pause, such as 500ms",
  block,
  keys: [],
  requests: false,
  waitsUs: ({ duration_us }) => boundsOf(duration_us),
  open({ duration_us }, { seed, position }) {
    const [least, most] = boundsOf(duration_us);
    const key = keyOf(seed);
    const drawn = (iteration: number) =>
      fractionOf(wordsOf(key, [iteration, position, 0, DRAWS.waits]));
    return {
      attempt: promised(async (context) => {
        const start = context.now();
        const us = least === most
          ? least
          : least + drawn(context.iteration) * (most - least);
        await context.sleep(us / 1_000);
        return exchangeless(start, context.now());
      }),
    };
  },
};

function boundsOf(length: number | Range): [least: number, most: number] {
  return typeof length === "number"
    ? [length, length]
    : [length.from_us, length.to_us];
}
