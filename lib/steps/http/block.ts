import * as v from "valibot";
import { optional } from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { names } from "../../language/fields/names.ts";
import { filled } from "../../language/fields/plain.ts";
import {
  payload,
  templatedText,
  templatedUrl,
} from "../../language/fields/templates.ts";
import type { Value } from "../../language/fields/value.ts";
import type { JsonValue } from "../../base/values/json.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { child } from "../../base/values/pointer.ts";
import type { KindStep } from "../../language/flow/kind.ts";

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

/** One value of a query parameter, or several. */
const parameter: Value<string | string[]> = {
  schema: v.union([templatedText.schema, texts.schema]),
  form: { anyOf: [templatedText.form, texts.form] },
  inside: { item: templatedText },
  parts: (value, pointer) => templatedText.parts!(value as string, pointer),
  read: (slot) =>
    slot.node.kind === "list" ? texts.read(slot) : templatedText.read(slot),
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

/** JSON itself (RFC 8259), and every type whose content is JSON (RFC 6839). */
export const JSON_TYPE: RegExp =
  /^\s*(?:(?:application|text)\/json|[^;]*\+json)\s*(?:;|$)/i;

/** Warns where a body, which is always JSON, travels under another media type. */
export function checkMediaTypes(
  steps: readonly KindStep<Pick<HttpBlock, "headers" | "body">>[],
  report: Report,
): void {
  for (const { step, block: { headers, body }, pointer } of steps) {
    if (body === undefined) continue;
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (name.toLowerCase() !== "content-type") continue;
      // An empty one is not sent, and of a template only the run knows.
      if (value === "" || value.includes("{{") || JSON_TYPE.test(value)) {
        continue;
      }
      report({
        at: child(`${pointer}/block/headers`, name),
        code: "body-not-json",
        message:
          `step \`${step.id}\` sends its body as JSON, but calls it \`${value}\``,
        hint:
          "a body is always sent as JSON: remove the header, or name a JSON type",
        severity: "warning",
      });
    }
  }
}
