import * as v from "valibot";
import { optional } from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { names } from "../../language/fields/names.ts";
import { payload, templatedText } from "../../language/fields/templates.ts";
import type { Value } from "../../language/fields/value.ts";
import type { JsonValue } from "../../base/values/json.ts";

/** `headers` of a step: each a line of text that may hold templates. */
export const headers = names(templatedText, {
  role: "headers",
  what: (key) => `header \`${key}\``,
});

const texts = list(templatedText);

/** One value of a query parameter, or several. */
const parameter: Value<string | string[]> = {
  schema: v.union([templatedText.schema, texts.schema]),
  form: { anyOf: [templatedText.form, texts.form] },
  inside: { item: templatedText },
  parts: (value, pointer) => templatedText.parts!(value as string, pointer),
  read: (node, slot, reader) =>
    (node.kind === "list" ? texts : templatedText).read(node, slot, reader),
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
  body: optional(payload, "request body: any YAML value, sent as JSON"),
};

/** One HTTP request as the IR says it. */
export interface HttpBlock {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
  readonly body?: JsonValue;
}

/** The call as it is written, for traces. */
export function callFacts(
  { method, url }: Pick<HttpBlock, "method" | "url">,
): Readonly<Record<string, string>> {
  return { call: `${method} ${url}` };
}
