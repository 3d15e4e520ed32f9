import * as v from "valibot";
import { optional } from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { names } from "../../language/fields/names.ts";
import { filled } from "../../language/fields/plain.ts";
import {
  templatedText,
  templatedUrl,
} from "../../language/fields/templates.ts";
import type { Value } from "../../language/fields/value.ts";
import { BODY_FIELDS, type BodyBlock } from "./body_fields.ts";

/** Where a request goes; it may hold templates, and is not empty. */
export const url: Value<string> = {
  ...filled(templatedUrl, "bad-url"),
  form: { type: "string", pattern: "\\S" },
};

/** `headers` of a step: each a line of text that may hold templates. */
export const headers = names(templatedText, {
  role: "headers",
  what: (key) => `header \`${key}\``,
});

const texts = list(templatedText);

/** A list of one sends what its item alone does. */
function oneOrMore<T>(values: T | T[]): T | T[] {
  return Array.isArray(values) && values.length === 1 ? values[0]! : values;
}

/** One value of a query parameter, or several. */
const parameter: Value<string | string[]> = {
  schema: v.pipe(
    v.union([templatedText.schema, texts.schema]),
    v.transform(oneOrMore),
  ),
  form: { anyOf: [templatedText.form, texts.form] },
  inside: { item: templatedText },
  parts: (value, pointer) => templatedText.parts!(value as string, pointer),
  read(slot) {
    const { node, pointer, reader } = slot;
    if (node.kind !== "list") return templatedText.read(slot);
    const [only, ...others] = node.items;
    if (only && others.length === 0) reader.locate(pointer, only.at);
    const read = texts.read(slot);
    return read && oneOrMore(read);
  },
};

const query = names(parameter, {
  role: "query",
  what: (key) => `query parameter \`${key}\``,
});

/** What a request has besides method and URL. */
export const REQUEST_FIELDS = {
  headers: optional(headers, "request headers: names to scalars"),
  query: optional(
    query,
    "URL query parameters: names to scalars, or to lists of them",
  ),
  ...BODY_FIELDS,
};

/** One HTTP request as the IR says it. */
export interface HttpBlock extends BodyBlock {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
}

/** The call as it is written, for traces. */
export function callFacts(
  { method, url }: Pick<HttpBlock, "method" | "url">,
): Readonly<Record<string, string>> {
  return { call: `${method} ${url}` };
}
