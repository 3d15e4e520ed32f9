import { normaliseTemplate } from "../expressions/template.ts";
import { isExact } from "../../base/values/numbers.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import type { Node, ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";
import { readString, readText, reportUnquotedTemplate } from "./scalars.ts";
import { templateErrors } from "./template_errors.ts";

/**
 * Reads any YAML value as JSON (`body`, `variables`, `message`, `send`).
 * Templates in strings are normalised, and each value is placed at its pointer.
 * Reports bad templates where they stand; undefined when there was a mistake.
 */
export function readPayload(
  node: Node,
  pointer: string,
  reader: Reader,
): JsonValue | undefined {
  reader.place(pointer, node.at);
  if (node.kind === "scalar") return readLeaf(node, reader);
  if (node.kind === "list") {
    const items = node.items.map((item, index) =>
      readPayload(item, child(pointer, index), reader)
    );
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (node.unquotedTemplate) {
    reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
    return;
  }
  const entries: [string, JsonValue][] = [];
  for (const { key, keyAt, value } of node.entries) {
    const read = readPayload(value, child(pointer, key), reader);
    if (key.includes("{{")) {
      reader.report({
        at: keyAt,
        code: "template-in-key",
        message: `keys are not templated, but this one is \`${key}\``,
        hint: "put the template into the value",
      });
    } else if (read !== undefined) entries.push([key, read]);
  }
  // fromEntries defines `__proto__` as a key like any other.
  return entries.length === node.entries.length
    ? Object.fromEntries(entries)
    : undefined;
}

/** Reads one string that may hold templates, normalised. */
export function readTemplated(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): string | undefined {
  reader.place(pointer, node.at);
  const text = readString(node, what, reader);
  return text === undefined ? undefined : reportTemplates(node, text, reader);
}

/**
 * Reads a header or query value that may hold templates. Numbers and booleans
 * keep the text they were written in.
 */
export function readTemplatedText(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): string | undefined {
  reader.place(pointer, node.at);
  const text = readText(node, what, reader);
  return text === undefined ? undefined : reportTemplates(node, text, reader);
}

/**
 * The text with its templates in their one spelling, or undefined after
 * reporting each malformed one in its place.
 *
 * @param text the scalar's text or a part of it
 */
export function reportTemplates(
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

function readLeaf(node: ScalarNode, reader: Reader): JsonValue | undefined {
  if (typeof node.value === "string") {
    return reportTemplates(node, node.value, reader);
  }
  const { value, text } = node;
  if (typeof value === "number" && losesDigits(value, text)) {
    reader.report({
      at: node.at,
      code: "number-out-of-range",
      message:
        `the number ${text} has digits that would be lost: it would be sent as ${value}`,
      hint: `quote it to send it as a string: "${text}"`,
    });
    return;
  }
  if (typeof value === "number" && /^[-+]?0\d/.test(text)) {
    reader.report({
      at: node.at,
      code: "leading-zero",
      message: `YAML reads ${text} as the number ${value}`,
      hint: `quote it to keep the zero: "${text}"`,
    });
    return;
  }
  return value;
}

/** Whole numbers may be hexadecimal or octal (YAML 1.2.2 section 10.3.2). */
function losesDigits(value: number, text: string): boolean {
  return /^[-+]?(?:\d+|0[xo][\da-f]+)$/i.test(text)
    ? !Number.isSafeInteger(value)
    : !isExact(text);
}
