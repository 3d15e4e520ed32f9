import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { child } from "../../base/values/json.ts";
import { recordOf } from "../../base/values/record_schema.ts";
import { elsewhere, type Words } from "../expressions/elsewhere.ts";
import { NAME } from "../expressions/template.ts";
import type { ScalarNode } from "../source/node.ts";
import type { Form, Part, Slot, Value } from "./field.ts";

interface ScalarOptions<T> {
  readonly schema: v.GenericSchema<unknown, T>;
  readonly form: Form;
  /** The expected value, in words. */
  readonly expected: string;
  /** Its value; undefined when it is something else. */
  take(node: ScalarNode): T | undefined;
  code?(node: ScalarNode): string;
  /** The way out, for what is something else. */
  hint?(node: ScalarNode): string | false | undefined;
  /** The way out, for a list or a mapping. */
  readonly otherwise?: string | undefined;
}

/** A value that is one scalar. */
export function scalar<T>(
  { schema, form, expected, take, code, hint, otherwise }: ScalarOptions<T>,
): Value<T> {
  return {
    schema,
    form,
    read(slot) {
      const must = `${slot.what} must be ${expected}`;
      const node = slot.scalar(must, otherwise);
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

/** @param empty when "" is written, such as "for an empty value" */
function textWhere(empty: string): Value<string> {
  return scalar({
    schema: v.string(),
    form: { type: ["string", "number", "boolean"] },
    expected: "a string, a number, true or false",
    take: ({ value, text }) => value === null ? undefined : text,
    hint: () => `${empty} write "", and for the word null write "null"`,
  });
}

/** A string, number or boolean as the text it was written in. */
export const text: Value<string> = textWhere("for an empty value");

/** The same of a header field, which is not sent when it is empty. */
export const headerText: Value<string> = textWhere("to send no such header");

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
  /** Words of other tools, with the way out. */
  readonly others?: Words;
}

/** A whole number within bounds. */
export function integer(
  { min, max, noun, others = {} }: Bounds,
): Value<number> {
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
    hint: ({ value, text }) =>
      elsewhere(others, text) ??
        (Number(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value) &&
            max === undefined
          ? `the largest is ${Number.MAX_SAFE_INTEGER}`
          : typeof value === "string" && /^\d+$/.test(value) &&
            fits(Number(value)) && "remove the quotes"),
  });
}

/**
 * One of a closed set of words.
 *
 * @param others words of other tools, with the way out
 * @param otherwise the way out for a list or a mapping
 */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  others: Words = {},
  otherwise?: string,
): Value<Word> {
  return {
    ...scalar({
      schema: v.picklist(words) as unknown as v.GenericSchema<unknown, Word>,
      form: { enum: [...words] },
      expected: `one of ${words.join(", ")}`,
      take: ({ value }) => words.find((word) => word === value),
      code: () => "unknown-value",
      hint: ({ text }) => elsewhere(others, text) ?? didYouMean(text, words),
      otherwise,
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

interface NamesOptions<T> {
  /** A value in words, such as "header `X`". */
  what(key: string): string;
  /** A whole entry, for a hint. */
  readonly example?: string;
  /** Keys that an editor offers; any other one may be there. */
  readonly examples?: readonly string[];
  /** The form of a key; any text when absent. */
  readonly key?: Value<string>;
  /** The mapping itself, as a part of its block. */
  readonly role?: "headers" | "query";
  /** Looks at a key. */
  noteKey?(key: string, at: ScalarNode["at"], slot: Slot): void;
  /** A diagnostic of a value is about its key. */
  readonly atKey?: true;
  /** Stands for a value that cannot be read, so that its name is known. */
  readonly instead?: T;
}

/** A mapping whose keys are the author's own. */
export function names<T>(
  item: Value<T>,
  options: NamesOptions<T>,
): Value<Record<string, T>> {
  const { role, key: keys, examples } = options;
  const key = keys?.schema as v.GenericSchema<string, string> | undefined;
  return {
    schema: recordOf(key ?? v.string(), item.schema),
    form: {
      type: "object",
      additionalProperties: item.form,
      ...((keys ?? examples) && {
        propertyNames: { ...keys?.form, ...(examples && { examples }) },
      }),
    },
    inside: { item },
    emptyIsAbsent: true,
    *parts(values: Record<string, T>, pointer: string): Iterable<Part> {
      if (role) yield { role, pointer, value: values as never };
      for (const [name, value] of Object.entries(values)) {
        yield* item.parts?.(value, child(pointer, name)) ?? [];
      }
    },
    read(slot) {
      const { example } = options;
      const expected = `${slot.what} must be a mapping of names to values`;
      const way = `write ${example ?? "each as `<name>: <value>`"}`;
      const node = slot.map(expected, way);
      if (!node) return;
      const read = node.entries.flatMap(({ key, keyAt, value }) => {
        const inner = slot.below(key, value, options.what(key));
        options.noteKey?.(key, keyAt, slot);
        slot.reader.locate(inner.pointer, options.atKey ? keyAt : value.at);
        const found = item.read(inner) ?? options.instead;
        const name = slot.below(key, keyAsValue(key, keyAt));
        return (!keys || keys.read(name) !== undefined) && found !== undefined
          ? [[key, found] as const]
          : [];
      });
      // fromEntries defines `__proto__` as a key like any other.
      return Object.fromEntries(read);
    },
  };
}

/** A key as a value. */
export function keyAsValue(key: string, at: ScalarNode["at"]): ScalarNode {
  return { kind: "scalar", value: key, text: key, plain: false, at };
}

interface PlainOptions {
  /** Why there are no templates in it. */
  readonly why: string;
  readonly hint?: string;
  /** A diagnostic marks the template alone. */
  readonly marksTemplate?: true;
}

/** A string that is used as it is written, without templates. */
export function plain(
  { why, hint, marksTemplate }: PlainOptions,
): Value<string> {
  return {
    ...string,
    form: {
      type: "string",
      pattern: "^(?![\\s\\S]*\\{\\{)[\\s\\S]*\\S",
    },
    read(slot) {
      const text = string.read(slot);
      const template = text?.indexOf("{{") ?? -1;
      if (template < 0) return text;
      return slot.report({
        at: marksTemplate ? slot.inside(template) : slot.node.at,
        code: "template-not-allowed",
        message: `${slot.what} is not templated: ${why}`,
        hint,
      });
    },
  };
}

/** A path in its one spelling, in which `.` is no folder. */
export function filePath(value: Value<string>): Value<string> {
  return {
    ...value,
    schema: v.pipe(value.schema, v.transform(onePath)),
    read(slot) {
      const text = value.read(slot);
      return text === undefined ? text : onePath(text);
    },
  };
}

/** `..` stays: what is before it may be a link. */
function onePath(path: string): string {
  const parts = path.split("/").filter((part, at) =>
    part !== "." && (part !== "" || at === 0)
  );
  if (path === "") return path;
  return parts.join("/") || (path.startsWith("/") ? "/" : ".");
}

/** A string that is not empty. */
export function filled(value: Value<string>, code = "empty"): Value<string> {
  return {
    ...value,
    schema: v.pipe(v.string(), v.minLength(1)),
    read(slot) {
      const text = value.read(slot);
      if (text === undefined || text.trim() !== "") return text;
      return slot.report({ code, message: `${slot.what} cannot be empty` });
    },
  };
}

/**
 * A text of which more is known than its form.
 *
 * @param check what is wrong with it, in which part of the text
 */
export function checked(
  value: Value<string>,
  check: (text: string) => Diagnostic<string> | undefined,
  form: Form = {},
): Value<string> {
  return {
    ...value,
    form: { ...value.form, ...form },
    read(slot) {
      const text = value.read(slot);
      const error = text === undefined ? undefined : check(text);
      if (!error) return text;
      const at = error.at === text ? slot.node.at : slot.inside(error.at);
      return slot.report({ ...error, at });
    },
  };
}

/** A value with another one in its place when it cannot be read. */
export function or<T>(value: Value<T>, instead: T): Value<T> {
  return { ...value, read: (slot) => value.read(slot) ?? instead };
}
