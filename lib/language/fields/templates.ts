import * as v from "valibot";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import { isExact } from "../../base/values/numbers.ts";
import { child } from "../../base/values/pointer.ts";
import { anyJson, anyObject } from "../../base/values/json_schema.ts";
import { normaliseTemplate } from "../expressions/template.ts";
import type { Node, ScalarNode } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { templateErrors } from "../source/template_errors.ts";
import { refuse, reportUnquotedTemplate } from "./refuse.ts";
import { readString, readText } from "./scalars.ts";
import { type Part, readAt, type Value } from "./value.ts";

/**
 * The text with its templates in their one spelling, or undefined after a report
 * of each malformed one.
 *
 * @param text the scalar's text or a part of it
 */
function readTemplates(
  node: Node,
  text: string,
  reader: Reader,
): string | undefined {
  const errors = templateErrors(text);
  for (const error of errors) {
    reader.report({ ...error, at: reader.inside(node, error.at) });
  }
  return errors.length === 0 ? normaliseTemplate(text) : undefined;
}

function* template(value: JsonValue, pointer: string): Iterable<Part> {
  yield { role: "template", pointer, value };
}

/** A string that may hold templates. */
export const templated: Value<string> = {
  schema: v.string(),
  form: { type: "string" },
  parts: template,
  read(node, slot, reader) {
    const text = readString(node, slot, reader);
    return text === undefined ? text : readTemplates(node, text, reader);
  },
};

/** The same where a request goes. */
export const templatedUrl: Value<string> = {
  ...templated,
  *parts(value, pointer) {
    yield { role: "template", pointer, value };
    yield { role: "url", pointer, value };
  },
};

/**
 * Text that may hold templates, of a header or query value. Numbers and booleans
 * keep the text they were written in.
 */
export const templatedText: Value<string> = {
  schema: v.string(),
  form: { type: ["string", "number", "boolean"] },
  parts: template,
  read(node, slot, reader) {
    const text = readText(node, slot, reader);
    return text === undefined ? text : readTemplates(node, text, reader);
  },
};

/** Parts of the editor schema that values refer to, by their names in it. */
export const DEFINED = {
  payload: { $ref: "#/$defs/payload" },
  assertion: { $ref: "#/$defs/assertion" },
  auth: { $ref: "#/$defs/auth" },
} as const;

/** Any value as JSON; its strings may hold templates, and each value is placed. */
export const payload: Value<JsonValue> = {
  schema: anyJson,
  form: DEFINED.payload,
  parts: template,
  read(node, slot, reader) {
    if (node.kind === "scalar") return readLeaf(node, reader);
    if (node.kind === "list") {
      const items = node.items.map((item, index) =>
        readAt(payload, item, below(slot.pointer, index), reader)
      );
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    if (node.unquotedTemplate) {
      reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
      return;
    }
    const entries = node.entries.flatMap((entry) =>
      readEntry(entry, slot.pointer, reader)
    );
    // fromEntries defines `__proto__` as a key like any other.
    return entries.length === node.entries.length
      ? Object.fromEntries(entries)
      : undefined;
  },
};

/**
 * The same of a mapping, which is absent when it is empty.
 *
 * @param of what it maps, such as "names to values"
 */
export function payloadOf(of: string): Value<JsonObject> {
  return {
    schema: anyObject,
    form: { type: "object", ...DEFINED.payload },
    emptyIsAbsent: true,
    parts: template,
    read(node, slot, reader) {
      if (node.kind !== "map") {
        return refuse(
          node,
          "wrong-type",
          `${slot.what} must be a mapping of ${of}`,
          reader,
        );
      }
      const read = payload.read(node, slot, reader);
      return isObject(read) ? read : undefined;
    },
  };
}

function below(pointer: string, key: string | number) {
  return { pointer: child(pointer, key), what: "" };
}

function readEntry(
  { key, keyAt, value }: { key: string; keyAt: Node["at"]; value: Node },
  pointer: string,
  reader: Reader,
): [string, JsonValue][] {
  const read = readAt(payload, value, below(pointer, key), reader);
  if (!key.includes("{{")) return read === undefined ? [] : [[key, read]];
  reader.report({
    at: keyAt,
    code: "template-in-key",
    message: `keys are not templated, but this one is \`${key}\``,
    hint: "put the template into the value",
  });
  return [];
}

function readLeaf(node: ScalarNode, reader: Reader): JsonValue | undefined {
  const { value, text } = node;
  if (typeof value === "string") return readTemplates(node, value, reader);
  if (typeof value !== "number") return value;
  if (losesDigits(value, text)) {
    reader.report({
      at: node.at,
      code: "number-out-of-range",
      message:
        `the number ${text} has digits that would be lost: it would be sent as ${value}`,
      hint: `quote it to send it as a string: "${text}"`,
    });
    return;
  }
  if (!/^[-+]?0\d/.test(text)) return value;
  reader.report({
    at: node.at,
    code: "leading-zero",
    message: `YAML reads ${text} as the number ${value}`,
    hint: `quote it to keep the zero: "${text}"`,
  });
}

/** Whole numbers may be hexadecimal or octal (YAML 1.2.2 section 10.3.2). */
function losesDigits(value: number, text: string): boolean {
  return /^[-+]?(?:\d+|0[xo][\da-f]+)$/i.test(text)
    ? !Number.isSafeInteger(value)
    : !isExact(text);
}
