import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { string } from "./scalars.ts";
import type { Form, Value } from "./value.ts";

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

/** The same, with something in it. */
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
