import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { NAME } from "../expressions/template.ts";
import type { ScalarNode } from "../source/node.ts";
import type { Slot } from "./slot.ts";
import type { Form, Value } from "./value.ts";

interface ScalarOptions<T> {
  readonly schema: v.GenericSchema<unknown, T>;
  readonly form: Form;
  /** What a message says it must be. */
  readonly expected: string;
  /** Its value; undefined when it is something else. */
  take(node: ScalarNode): T | undefined;
  code?(node: ScalarNode): string;
  /** The way out, for what is something else. */
  hint?(node: ScalarNode): string | false | undefined;
}

/** A value that is one scalar. */
export function scalar<T>(
  { schema, form, expected, take, code, hint }: ScalarOptions<T>,
): Value<T> {
  return {
    schema,
    form,
    read(slot) {
      const must = `${slot.what} must be ${expected}`;
      const node = slot.scalar(must);
      const value = node && take(node);
      if (!node || value !== undefined) return value;
      if (node.text.includes("{{")) return reportTemplate(slot, expected);
      const way = hint?.(node) || undefined;
      return slot.refuse(code?.(node) ?? "wrong-type", must, way);
    },
  };
}

/** Reports a template in what has to be known before the run. */
export function reportTemplate(slot: Slot, expected: string): undefined {
  return slot.report({
    code: "template-not-allowed",
    message: `${slot.what} is not templated: it must be ${expected}`,
    hint: "write it out",
  });
}

/** A string that is used as it is written. */
export const string: Value<string> = scalar({
  schema: v.string(),
  form: { type: "string" },
  expected: "a string",
  take: ({ value }) => typeof value === "string" ? value : undefined,
  hint: ({ value, text }) => value !== null && `quote it: "${text}"`,
});

/** A string, number or boolean as the text it was written in. */
export const text: Value<string> = scalar({
  schema: v.string(),
  form: { type: ["string", "number", "boolean"] },
  expected: "a string, a number, true or false",
  take: ({ value, text }) => value === null ? undefined : text,
  hint: () => 'for an empty value write ""',
});

/** `true` or `false`. */
export const boolean: Value<boolean> = scalar({
  schema: v.boolean(),
  form: { type: "boolean" },
  expected: "true or false",
  take: ({ value }) => typeof value === "boolean" ? value : undefined,
  hint({ text }) {
    const [word, yes] = /^(?:(yes|on)|(no|off))$/i.exec(text) ?? [];
    return word && `did you mean \`${yes ? "true" : "false"}\`?`;
  },
});

interface Bounds {
  readonly min: number;
  readonly max?: number;
  /** Such as "a status"; "a whole number" when absent. */
  readonly noun?: string;
}

/** A whole number within bounds. */
export function integer({ min, max, noun }: Bounds): Value<number> {
  const least = v.pipe(v.number(), v.integer(), v.minValue(min));
  const bounded = max === undefined ? least : v.pipe(least, v.maxValue(max));
  const range = max === undefined
    ? `of at least ${min}`
    : `from ${min} to ${max}`;
  const fits = (value: unknown) =>
    Number.isSafeInteger(value) && v.is(bounded, value);
  return scalar({
    schema: bounded,
    form: {
      type: "integer",
      minimum: min,
      ...(max !== undefined && { maximum: max }),
    },
    expected: `${noun ?? "a whole number"} ${range}`,
    take: ({ value }) => fits(value) ? Number(value) : undefined,
    code: ({ value }) =>
      typeof value === "number" ? "out-of-range" : "wrong-type",
    hint: ({ value }) =>
      typeof value === "string" && /^\d+$/.test(value) && fits(Number(value)) &&
      "remove the quotes",
  });
}

/** One of a closed set of words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
): Value<Word> {
  return {
    ...scalar({
      schema: v.picklist(words) as unknown as v.GenericSchema<unknown, Word>,
      form: { enum: [...words] },
      expected: `one of ${words.join(", ")}`,
      take: ({ value }) => words.find((word) => word === value),
      code: () => "unknown-value",
      hint: ({ text }) => didYouMean(text, words),
    }),
    inside: { words },
  };
}

/**
 * A string of one form.
 *
 * @param explain what is wrong with another one
 */
export function matching(
  pattern: RegExp,
  explain: (text: string, slot: Slot) => Omit<Diagnostic, "at">,
): Value<string> {
  return {
    schema: v.pipe(v.string(), v.regex(pattern)),
    form: { type: "string", pattern: pattern.source },
    read(slot) {
      const text = string.read(slot);
      return text === undefined || pattern.test(text)
        ? text
        : slot.report(explain(text, slot));
    },
  };
}

/**
 * A name: letters, digits, `_` and `-`.
 *
 * @param whose the name, with its article, such as `a flow's name`
 */
export function name(
  whose: string,
  hint: (text: string) => string | undefined = () => undefined,
): Value<string> {
  return matching(NAME, (text) => ({
    code: "bad-name",
    message: notAName(whose, text),
    hint: hint(text),
  }));
}

/** Why `text` is no name. */
export function notAName(whose: string, text: string): string {
  return `${whose} starts with a letter or _ and continues with letters, digits, _ and -, but this is "${text}"`;
}
