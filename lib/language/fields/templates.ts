import type { Diagnostic } from "../../base/text/diagnostic.ts";
import {
  anyJson,
  anyObject,
  child,
  isObject,
  type JsonObject,
  type JsonValue,
  leavesOf,
} from "../../base/values/json.ts";
import { isExact } from "../../base/values/numbers.ts";
import { elsewhere } from "../expressions/elsewhere.ts";
import {
  normaliseTemplate,
  parseReference,
  parseTemplate,
  quote,
  REFERENCE_PATTERN,
  templatesIn,
  type WrittenTemplate,
} from "../expressions/template.ts";
import { exactNumber } from "../source/json_scalar.ts";
import type { Entry, ScalarNode } from "../source/node.ts";
import type { Part, Slot, Value } from "./field.ts";
import { versionHint } from "./mapping.ts";
import { headerText, string, text } from "./scalars.ts";

/** Every malformed template of a text, in order; `at` is the template. */
export function templateErrors(text: string): Diagnostic<WrittenTemplate>[] {
  const errors: Diagnostic<WrittenTemplate>[] = [];
  for (const at of templatesIn(text)) {
    try {
      parseTemplate(at.written);
    } catch (error) {
      const { message } = error as Error;
      const hint = /^template is not closed/.test(message)
        ? "close it with }}"
        : hintFor(at.written);
      errors.push({ at, code: "bad-template", message, hint });
    }
  }
  return errors;
}

/** Values that are added, a number beside an operator, or a comparison. */
const CALCULATION =
  /^[\w.[\]'"-]+(?:\s+[-+*/%]\s+[\w.[\]'"-]+)+$|^[\w.[\]-]+\s*[-+*/%]\s*\d+$|[\w\])]\s*(?:[=!<>]=|[<>?]|&&|\|\|)/;

/** The way out for what people bring from other template languages. */
function hintFor(written: string): string | undefined {
  const inside = written.slice(2, -2).trim();
  if (inside === "") {
    return "name a variable, a fixture column or an env variable";
  }
  const foreign = elsewhere("template", inside);
  if (foreign) return foreign;
  if (CALCULATION.test(inside)) {
    return "templates name values and calculate nothing";
  }
  const spaced = /^([A-Za-z_][\w-]*(?:\.[^\s.]+)*)\.([^.'"|()[\]]+)$/.exec(
    inside,
  );
  if (spaced && /\S\s+\S/.test(spaced[2]!)) {
    return `in quotes a name may have spaces: {{ ${spaced[1]}['${
      spaced[2]
    }'] }}`;
  }
  if (inside.includes("|")) return "templates have no filters: {{ name }}";
  if (/[()]/.test(inside)) return "templates name values and call nothing";
  const meant = parseReference(
    inside.replace(/^[${.]+\s*/, "")
      .replaceAll(/\.?\[['"]?0*([\w-]+)['"]?\]/g, ".$1"),
  );
  if (meant) return `did you mean ${quote(meant)}?`;
  const [, unclosed] = /^([\w.-]+\[-?\d+)$/.exec(inside) ?? [];
  if (unclosed !== undefined) return `did you mean {{ ${unclosed}] }}?`;
  return /\[/.test(inside)
    ? "a template names one value: `extract` can take several with a JSON path"
    : undefined;
}

/**
 * The text with its templates in their one spelling, or undefined after a report
 * of each malformed one.
 */
function readTemplates(text: string, slot: Slot): string | undefined {
  const errors = templateErrors(text);
  const [braces] = slot.reader.version < 1 ? bracesIn(text) : [];
  if (braces !== undefined) errors.push(laterBraces(braces));
  for (const { at: { start, written }, ...each } of errors) {
    slot.report({ ...each, at: slot.inside(start, written.length) });
  }
  if (errors.length === 0) return normaliseTemplate(text);
  const wrong = new Set(errors.map(({ at }) => at.written));
  const left = [...templatesIn(text)]
    .filter(({ written }) => !wrong.has(written));
  if (left.length > 0) {
    const all = left.map(({ written }) => written).join("");
    slot.reader.leftTemplates.set(slot.pointer, all);
  }
  return undefined;
}

/** Braces that are written as such. */
function bracesIn(text: string): WrittenTemplate[] {
  return [...templatesIn(text)].filter(({ braces }) => braces !== undefined);
}

function laterBraces(at: WrittenTemplate): Diagnostic<WrittenTemplate> {
  const { written } = at;
  return {
    at,
    code: "later-version",
    message:
      `${written} is not a template: expected {{ name }} or {{ name.path }}`,
    hint: versionHint(`\`${written}\``),
  };
}

/** An integer that IR 1 has to round needs IR 2, and so do literal braces. */
function* template(value: JsonValue, pointer: string): Iterable<Part> {
  yield { role: "template", pointer, value };
  for (const { value: leaf, path } of leavesOf(value)) {
    const isLater = typeof leaf === "bigint"
      ? !isExact(String(leaf))
      : typeof leaf === "string" && bracesIn(leaf).length > 0;
    if (!isLater) continue;
    yield {
      role: "since",
      pointer: path.reduce<string>(child, pointer),
      ir: 2,
    };
  }
}

function withTemplates(value: Value<string>): Value<string> {
  return {
    ...value,
    parts: template,
    read(slot) {
      const text = value.read(slot);
      return text === undefined ? text : readTemplates(text, slot);
    },
  };
}

/** A string that may hold templates. */
export const templated: Value<string> = withTemplates(string);

/** The URL of a request, which may hold templates. */
export const templatedUrl: Value<string> = {
  ...templated,
  *parts(value, pointer) {
    yield* template(value, pointer);
    yield { role: "url", pointer, value };
  },
};

/**
 * Text that may hold templates, of a header or query value. Numbers and booleans
 * keep the text they were written in.
 */
export const templatedText: Value<string> = withTemplates(text);

/** The same of a header field. */
export const templatedHeader: Value<string> = withTemplates(headerText);

/**
 * A credential: exactly one `{{ env.* }}` template.
 *
 * @param variable it may also be an extracted variable
 */
export function secret(
  { variable = false }: { readonly variable?: boolean } = {},
): Value<string> {
  const reference = variable ? REFERENCE_PATTERN : "env\\.[^\\s.{}]+";
  return {
    ...templated,
    isSecret: true,
    form: {
      type: "string",
      pattern: `^\\{\\{\\s*(?:${reference})\\s*\\}\\}$`,
    },
    *parts(value, pointer) {
      yield* template(value, pointer);
      yield { role: "secret", pointer, value, variable };
    },
  };
}

/** Parts of the editor schema that values refer to, by their names in it. */
export const DEFINED = {
  payload: { $ref: "#/$defs/payload" },
  assertion: { $ref: "#/$defs/assertion" },
  auth: { $ref: "#/$defs/auth" },
  steps: { $ref: "#/$defs/steps" },
} as const;

/** Any value as JSON; its strings may hold templates, and each value is placed. */
export const payload: Value<JsonValue> = {
  schema: anyJson,
  form: DEFINED.payload,
  parts: template,
  read(slot) {
    const { node } = slot;
    if (node.kind === "scalar") return readLeaf(node, slot);
    if (node.kind === "list") {
      const items = node.items.map((item, index) =>
        slot.below(index, item).read(payload)
      );
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    // Any mapping is JSON, but no unquoted template.
    const map = slot.map(`${slot.what} must be JSON`);
    if (!map) return;
    const entries = map.entries.flatMap((entry) => readEntry(entry, slot));
    // fromEntries defines `__proto__` as a key like any other.
    return entries.length === map.entries.length
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
    read(slot) {
      if (slot.node.kind !== "map") {
        return slot.wrongType(`${slot.what} must be a mapping of ${of}`);
      }
      const read = payload.read(slot);
      return isObject(read) ? read : undefined;
    },
  };
}

function readEntry(
  { key, keyAt, value }: Entry,
  slot: Slot,
): [string, JsonValue][] {
  const read = slot.below(key, value).read(payload);
  if (!key.includes("{{")) return read === undefined ? [] : [[key, read]];
  slot.report({
    at: keyAt,
    code: "template-in-key",
    message: `keys are not templated, but this one is \`${key}\``,
    hint: "put the template into the value",
  });
  return [];
}

/** Warns of a template in a name that goes out as it is: of a parameter, a field, a part. */
export function noteTemplateInKey(
  key: string,
  at: Entry["keyAt"],
  slot: Slot,
): void {
  if (!/\{\{\s*(?:[A-Za-z_][^{}]*|'[{}]+'\s*)\}\}/.test(key)) return;
  slot.report({
    at,
    severity: "warning",
    code: "template-in-key",
    message: `keys are not templated: \`${key}\` is sent as it is`,
    hint: "put the template into the value",
  });
}

function readLeaf(
  { value, text }: ScalarNode,
  slot: Slot,
): JsonValue | undefined {
  if (typeof value === "string") return readTemplates(value, slot);
  if (typeof value !== "number") return value;
  // What JSON has no number for, such as `.inf`, was reported when it was read.
  if (value === 0 && !Number.isFinite(Number(text))) return value;
  if (/^[-+]?0\d/.test(text)) {
    slot.report({
      code: "leading-zero",
      message: `YAML reads ${text} as the number ${value}`,
      hint: `quote it to keep the zero: "${text}"`,
    });
    return value;
  }
  const number = exactNumber(value, text);
  if (number !== undefined) return number;
  slot.report({
    code: "number-out-of-range",
    message:
      `the number ${text} has digits that would be lost: it would be sent as ${value}`,
    hint: `quote it to send it as a string: "${text}"`,
  });
  // So that what is around it is checked as well.
  return value;
}
