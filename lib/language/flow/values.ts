import * as v from "valibot";
import {
  DURATION_PATTERN,
  durationHint,
  parseDuration,
} from "../../base/values/duration.ts";
import {
  anyJson,
  child,
  type JsonValue,
  leavesOf,
} from "../../base/values/json.ts";
import { grammar } from "../fields/durations.ts";
import {
  decimalRange,
  intRange,
  isSpan,
  MOST_FRACTION,
  rangeKind,
} from "../fields/ranges.ts";
import { optional, type Slot, type Value } from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { mapping, type Rule } from "../fields/mapping.ts";
import { integer, keyAsValue, name, oneOf, scalar } from "../fields/scalars.ts";
import { DEFINED, payload, templated } from "../fields/templates.ts";
import { type Entry, entryOf, type ScalarNode } from "../source/node.ts";
import { elsewhere } from "../expressions/elsewhere.ts";
import { didYouMean } from "../../base/text/suggest.ts";

const variable = name("a value's name");
const whole = v.pipe(v.number(), v.safeInteger());
const VERSIONS = [4, 7] as const;
const NOW = ["date", "rfc3339", "unix", "unix_ms"] as const;
const OTHER_FORMS = {
  "iso|iso_?8601|iso_date|(?:date_?)?time|timestamp|utc|rfc_3339":
    "did you mean `rfc3339`?",
  "epoch|seconds|unix_(?:s|seconds)": "did you mean `unix`?",
  "ms|millis|milliseconds|(?:epoch|unix)_(?:ms|millis)":
    "did you mean `unix_ms`?",
};
const MOST_HEX = 1_024;

const hexDigits = integer({
  min: 1,
  max: MOST_HEX,
  noun: "a number of digits",
});

function kindOf<const Kind extends string, Entries extends v.ObjectEntries>(
  kind: Kind,
  entries: Entries,
) {
  const said = { name: variable.schema, kind: v.literal(kind) };
  return v.strictObject({ ...said, ...entries });
}

const kinds = v.variant("kind", [
  kindOf("uuid", { version: v.picklist(VERSIONS) }),
  kindOf("int", { min: whole, max: whole }),
  kindOf("decimal", {
    min: whole,
    max: whole,
    digits: integer({ min: 0, max: MOST_FRACTION }).schema,
  }),
  kindOf("choice", {
    of: v.pipe(v.array(anyJson), v.minLength(1)),
    weights: v.exactOptional(
      v.array(v.pipe(v.number(), v.finite(), v.minValue(0))),
    ),
  }),
  kindOf("counter", {}),
  kindOf("hex", { length: hexDigits.schema }),
  kindOf("now", {
    format: v.picklist(NOW),
    offset_us: v.exactOptional(whole),
  }),
  kindOf("text", { text: v.string() }),
]);
const schema = v.pipe(
  kinds,
  v.check(
    (value) => !("min" in value) || isSpan(value),
    "`min` must not be above `max`, nor 2^53 below it",
  ),
  v.check(
    (value) => value.kind !== "choice" || !wrongWeights(value),
    "`weights` must be one a value of `of`, and not all of them 0",
  ),
);

/**
 * A variable that is drawn anew for each iteration, before its first step. The
 * bounds of a `decimal` are in units of its last digit.
 */
export type DrawnValue = v.InferOutput<typeof schema>;
/** A drawn variable without its name. */
type Drawing = DrawnValue extends infer Each
  ? Each extends unknown ? Omit<Each, "name"> : never
  : never;

/** The error in weights; undefined when they are right. */
function wrongWeights(
  { of, weights }: { of: readonly unknown[]; weights?: readonly number[] },
): string | undefined {
  if (!weights) return;
  if (of.length !== weights.length) {
    const values = of.length === 1 ? "one value" : `${of.length} values`;
    return `\`weights\` has ${weights.length} of them for ${values} of \`choice\``;
  }
  return weights.some((each) => each > 0)
    ? undefined
    : "`weights` are all 0, so that nothing can be drawn";
}

const version: Value<4 | 7> = scalar({
  schema: v.picklist(VERSIONS),
  form: { enum: [...VERSIONS] },
  expected: "4 or 7",
  take: ({ value }) => VERSIONS.find((each) => each === value),
  code: () => "unknown-value",
});

/** One of what is chosen from: any JSON, without templates. */
const chosen: Value<JsonValue> = {
  schema: anyJson,
  form: DEFINED.payload,
  read(slot) {
    const read = payload.read(slot);
    if (read === undefined) return;
    const isTemplated = leavesOf(read).some(({ value }) =>
      typeof value === "string" && value.includes("{{")
    );
    return isTemplated
      ? slot.report({
        code: "template-not-allowed",
        message: "the values of `choice` are not templated",
        hint: 'a `text` after it may name both: { text: "{{ a }} {{ b }}" }',
      })
      : read;
  },
};

const weight = scalar({
  schema: v.number(),
  form: { type: "number", minimum: 0 },
  expected: "a number of at least 0",
  take: ({ value }) =>
    typeof value === "number" && value >= 0 && Number.isFinite(value)
      ? value
      : undefined,
  code: ({ value }) =>
    typeof value === "number" ? "out-of-range" : "wrong-type",
});

/** An offset may be in the past. */
const offset = grammar({
  noun: "a duration, such as 24h or -30m",
  pattern: `^\\s*-?${DURATION_PATTERN}\\s*$`,
  code: "bad-duration",
  parse(text) {
    const [, sign, length = ""] = /^\s*([-+]?)(.*)$/s.exec(text)!;
    const micros = parseDuration(length);
    return sign === "-" && micros > 0 ? -micros : micros;
  },
  hint: durationHint,
  takesNumbers: true,
  schema: whole,
});

/** The kinds of values that are drawn, by key. */
const KINDS = {
  uuid: optional(
    version,
    "a UUID, of version 4 or 7; `uuid` alone is of version 4",
  ),
  int: optional(intRange, "a whole number of a range, such as `1..9`"),
  decimal: optional(
    decimalRange,
    "a number of a range, with the digits of its bounds, such as `0.50..99.99`",
  ),
  choice: optional(
    list(chosen, {
      of: "values",
      example: "[red, green, blue]",
      least: { code: "empty", needs: "one value" },
    }),
    "one of these values",
  ),
  hex: optional(hexDigits, "so many hexadecimal digits"),
  now: optional(
    oneOf(NOW, OTHER_FORMS),
    "when the iteration began, in UTC: date, rfc3339, unix, unix_ms",
  ),
  text: optional(
    templated,
    "a text; its templates name values above it, rows and the environment",
  ),
};
/** Keys beside one of them. */
const BESIDE = {
  weights: optional(
    list(weight, { of: "numbers", example: "[5, 3, 2]" }),
    "beside `choice`: how often each value is drawn, compared with the others",
  ),
  offset: optional(
    offset,
    "beside `now`: what is added to it; less than 0 is the past",
    { ir: "offset_us" },
  ),
};

/** The kinds that are a word alone, without a key. */
const WORDS = ["uuid", "counter"] as const;
const EXAMPLES =
  '`uuid`, `counter`, or one of { int: 1..9 }, { decimal: 0.50..99.99 }, { choice: [a, b] }, { hex: 16 }, { now: date }, { text: "..." }';

/** One kind, and beside it what belongs to that kind. */
const oneKind: Rule = {
  form: {
    oneOf: Object.keys(KINDS).map((key) => ({ required: [key] })),
    dependentRequired: { weights: ["choice"], offset: ["now"] },
  },
  check(find, slot) {
    const written = Object.keys(KINDS).flatMap((key) => find(key) ?? []);
    const [first, second] = written;
    if (second) {
      slot.report({
        at: second.keyAt,
        code: "two-kinds",
        message: `${slot.what} is drawn in two ways, as \`${
          first!.key
        }\` and as \`${second.key}\``,
        hint: "give each a name of its own",
      });
    }
    for (const [key, owner] of [["weights", "choice"], ["offset", "now"]]) {
      const entry = find(key!);
      if (!entry || find(owner!)) continue;
      slot.report({
        at: entry.keyAt,
        code: "key-alone",
        message: `\`${key}\` belongs beside \`${owner}\``,
        hint: `remove \`${key}\``,
      });
    }
  },
};

const block = mapping({ ...KINDS, ...BESIDE }, {
  rules: [oneKind],
  places: ["value"],
  hint: `for example ${EXAMPLES}`,
});

const drawing: Value<Drawing> = {
  schema: v.any(),
  form: { anyOf: [{ enum: [...WORDS] }, block.form] },
  inside: { fields: block.fields },
  read(slot) {
    const { node } = slot;
    if (node.kind === "scalar") return readWord(node, slot);
    const read = block.read(slot);
    if (!read) return;
    const { uuid, int, decimal, choice, weights, hex, now, text } = read;
    if (uuid) return { kind: "uuid", version: uuid };
    if (int) return { kind: "int", min: int.min, max: int.max };
    if (decimal) return { kind: "decimal", ...decimal };
    if (choice) {
      const beside = weights && { weights };
      return readChoice({ kind: "choice", of: choice, ...beside }, slot);
    }
    if (hex) return { kind: "hex", length: hex };
    if (now) {
      const { offset_us } = read;
      return { kind: "now", format: now, ...(offset_us && { offset_us }) };
    }
    if (text !== undefined) return { kind: "text", text };
    if (slot.node.kind === "map" && slot.node.entries.length === 0) {
      slot.report({
        code: "no-kind",
        message: `${slot.what} says nothing of how it is drawn`,
        hint: `for example ${EXAMPLES}`,
      });
    }
  },
};

function readWord(node: ScalarNode, slot: Slot): Drawing | undefined {
  const { text, value } = node;
  if (value === "uuid") return { kind: "uuid", version: 4 };
  if (value === "counter") return { kind: "counter" };
  return slot.report({
    code: "no-kind",
    message: `${slot.what} must say how it is drawn, but it is ${
      text === "" ? "empty" : `"${text}"`
    }`,
    hint: text.includes("{{")
      ? `for a text write { text: ${JSON.stringify(text)} }`
      : rangeKind(text)
      ? `did you mean { ${rangeKind(text)}: ${text.trim()} }?`
      : elsewhere("value", text) ?? didYouMean(text, WORDS) ??
        `for example ${EXAMPLES}`,
  });
}

function readChoice(
  choice: Omit<Extract<DrawnValue, { kind: "choice" }>, "name">,
  slot: Slot,
): Drawing | undefined {
  const isRead = ["choice", "weights"]
    .every((key) => slot.reader.isSound(child(slot.pointer, key)));
  const wrong = isRead ? wrongWeights(choice) : undefined;
  if (wrong === undefined) return choice;
  return slot.report({
    at: entryOf(slot.node, "weights")!.value.at,
    code: "bad-weights",
    message: wrong,
    hint: "one number of at least 0 for each value, such as [5, 3, 2]",
  });
}

/** `values` of a flow: a mapping by name in a file, a list in the IR. */
export const values: Value<DrawnValue[]> = {
  schema: v.array(schema),
  form: {
    type: "object",
    additionalProperties: drawing.form,
    propertyNames: variable.form,
  },
  inside: { item: drawing },
  emptyIsAbsent: true,
  read(slot) {
    const entries = slot.map(
      `${slot.what} must be a mapping of names to how each is drawn`,
      "write each as `<name>: uuid` or `<name>: { int: 1..9 }`",
    )?.entries ?? [];
    return entries.map((entry, index) => readValue(entry, index, slot));
  },
};

/** Reads a value; one with errors is there all the same, as templates may name it. */
function readValue(
  { key, keyAt, value }: Entry,
  index: number,
  slot: Slot,
): DrawnValue {
  const one = slot.below(index, value, `value \`${key}\``);
  const called = one.below("name", keyAsValue(key, keyAt)).read(variable);
  const drawn = one.read(drawing) ?? { kind: "counter" };
  return { name: called ?? "_", ...drawn };
}
