import * as v from "valibot";
import { NAME } from "../../base/values/name.ts";
import { nearest } from "../../base/text/suggest.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { refuse, scalarOf, wrongType } from "./refuse.ts";
import type { Slot, Value } from "./value.ts";

/** A string; an unquoted template or number is refused with the way out. */
export function readString(
  node: Node,
  { what }: Slot,
  reader: Reader,
): string | undefined {
  const expected = `${what} must be a string`;
  const scalar = scalarOf(node, expected, reader);
  if (!scalar) return;
  if (typeof scalar.value === "string") return scalar.value;
  const hint = scalar.value === null ? undefined : `quote it: "${scalar.text}"`;
  wrongType(node, expected, reader, hint);
}

/** A string that is used as it is written. */
export const string: Value<string> = {
  read: readString,
  schema: v.string(),
  form: { type: "string" },
};

/** A string, number or boolean as the text it was written in. */
export function readText(
  node: Node,
  { what }: Slot,
  reader: Reader,
): string | undefined {
  const expected = `${what} must be a string, a number, true or false`;
  const scalar = scalarOf(node, expected, reader);
  if (scalar && scalar.value !== null) return scalar.text;
  if (scalar) wrongType(node, expected, reader, 'for an empty value write ""');
}

/** `true` or `false`. */
export const boolean: Value<boolean> = {
  schema: v.boolean(),
  form: { type: "boolean" },
  read(node, { what }, reader) {
    const expected = `${what} must be true or false`;
    const scalar = scalarOf(node, expected, reader);
    if (!scalar) return;
    if (typeof scalar.value === "boolean") return scalar.value;
    const word = /^(?:(yes|on)|(no|off))$/i.exec(scalar.text);
    const hint = word && `did you mean \`${word[1] ? "true" : "false"}\`?`;
    wrongType(node, expected, reader, hint ?? undefined);
  },
};

interface Bounds {
  readonly min: number;
  readonly max?: number;
  /** Such as "a status"; "a whole number" when absent. */
  readonly noun?: string;
}

/** A whole number within bounds. */
export function integer(bounds: Bounds): Value<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, noun = "a whole number" } =
    bounds;
  const range = bounds.max === undefined
    ? `of at least ${min}`
    : `from ${min} to ${max}`;
  return {
    schema: bounds.max === undefined
      ? v.pipe(v.number(), v.integer(), v.minValue(min))
      : v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)),
    form: {
      type: "integer",
      minimum: min,
      ...(bounds.max !== undefined && { maximum: max }),
    },
    read(node, { what }, reader) {
      const expected = `${what} must be ${noun} ${range}`;
      const scalar = scalarOf(node, expected, reader);
      if (!scalar) return;
      const { value } = scalar;
      const number = Number.isSafeInteger(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      const isNumber = typeof value === "number";
      refuse(node, isNumber ? "out-of-range" : "wrong-type", expected, reader, {
        hint: typeof value === "string" && /^\d+$/.test(value) &&
            Number(value) >= min && Number(value) <= max
          ? "remove the quotes"
          : undefined,
      });
    },
  };
}

/** One of a closed set of words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
): Value<Word> {
  return {
    schema: v.picklist(words) as unknown as v.GenericSchema<unknown, Word>,
    form: { enum: [...words] },
    inside: { words },
    read(node, { what }, reader) {
      const expected = `${what} must be one of ${words.join(", ")}`;
      const scalar = scalarOf(node, expected, reader);
      if (!scalar) return;
      const found = words.find((word) => word === scalar.value);
      if (found !== undefined) return found;
      const near = nearest(scalar.text, words);
      refuse(node, "unknown-value", expected, reader, {
        hint: near && `did you mean \`${near}\`?`,
      });
    },
  };
}

/**
 * Whether `text` is a name; reports one that is not.
 *
 * @param whose the name, with its article, such as `a flow's name`
 */
export function checkName(
  text: string,
  whose: string,
  at: Node["at"],
  reader: Reader,
  hint?: string,
): boolean {
  if (NAME.test(text)) return true;
  reader.report({
    at,
    code: "bad-name",
    message:
      `${whose} starts with a letter or _ and continues with letters, digits, _ and -, but this is "${text}"`,
    hint,
  });
  return false;
}

/** A name: letters, digits, `_` and `-`. */
export function name(
  whose: string,
  hint: (text: string) => string | undefined = () => undefined,
): Value<string> {
  return {
    schema: v.pipe(v.string(), v.regex(NAME)),
    form: { type: "string", pattern: NAME.source },
    read(node, slot, reader) {
      const text = readString(node, slot, reader);
      return text !== undefined &&
          checkName(text, whose, node.at, reader, hint(text))
        ? text
        : undefined;
    },
  };
}
