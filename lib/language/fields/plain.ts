import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { readString } from "./scalars.ts";
import type { Form, Value } from "./value.ts";

interface PlainOptions {
  /** Why there are no templates in it. */
  readonly why: string;
  readonly hint?: string;
  /** A diagnostic marks the template alone. */
  readonly marksTemplate?: true;
  /** It is not empty. */
  readonly filled?: true;
}

/** A string that is used as it is written, without templates. */
export function plain(
  { why, hint, marksTemplate, filled }: PlainOptions,
): Value<string> {
  return {
    schema: filled ? v.pipe(v.string(), v.minLength(1)) : v.string(),
    form: {
      type: "string",
      pattern: "^(?![\\s\\S]*\\{\\{)[\\s\\S]*\\S",
    },
    read(node, slot, reader) {
      const text = readString(node, slot, reader);
      const template = text?.indexOf("{{") ?? -1;
      if (template >= 0) {
        reader.report({
          at: marksTemplate ? reader.inside(node, template) : node.at,
          code: "template-not-allowed",
          message: `${slot.what} is not templated: ${why}`,
          hint,
        });
        return;
      }
      if (!filled || text?.trim() !== "") return text;
      const message = `${slot.what} cannot be empty`;
      reader.report({ at: node.at, code: "empty", message });
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
    read(node, slot, reader) {
      const text = value.read(node, slot, reader);
      const error = text === undefined ? undefined : check(text);
      if (!error) return text;
      const at = error.at === text ? node.at : reader.inside(node, error.at);
      reader.report({ ...error, at });
    },
  };
}

/** A value with another one in its place when it cannot be read. */
export function or<T>(value: Value<T>, instead: T): Value<T> {
  return {
    ...value,
    read: (node, slot, reader) => value.read(node, slot, reader) ?? instead,
  };
}
