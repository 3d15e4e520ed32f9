import * as v from "valibot";
import {
  beside,
  defaulted,
  optional,
  required,
} from "../../language/fields/field.ts";
import { mapping } from "../../language/fields/mapping.ts";
import { refuse } from "../../language/fields/refuse.ts";
import { oneOf, readString } from "../../language/fields/scalars.ts";
import { payloadOf } from "../../language/fields/templates.ts";
import type { Value, ValueOf } from "../../language/fields/value.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { headers, url } from "../http/block.ts";
import { ON_ERRORS } from "./graphql_response.ts";

/** GraphQL, section 2.1.9. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Anything in a document that looks like a template. */
export const TEMPLATE = "\\{\\{[^{}]*\\}\\}";

/** A template in a document, and the way out. */
export function templateInDocument<At>(
  written: string,
  at: At,
): Diagnostic<At> {
  return {
    at,
    code: "template-in-document",
    message:
      `${written} is inside a GraphQL document, which is sent verbatim: templates are not supported there`,
    hint:
      "declare a variable, such as `query ($id: ID!)`, and put the template into `variables`",
  };
}

/** The document, sent as it is written. */
const document: Value<string> = {
  schema: v.pipe(v.string(), v.minLength(1)),
  form: {
    type: "string",
    pattern: `^(?![\\s\\S]*${TEMPLATE})[\\s\\S]*\\S`,
  },
  read(node, slot, reader) {
    if (node.kind === "map" && node.unquotedTemplate) {
      reader.report(templateInDocument(node.unquotedTemplate, node.at));
      return;
    }
    if (node.kind !== "scalar") {
      const expected = `${slot.what} must be a GraphQL document`;
      const hint = "write `query: |` and the document on the lines below it";
      return refuse(node, "wrong-type", expected, reader, { hint });
    }
    const text = readString(node, slot, reader);
    if (text === undefined || text.trim() !== "") return text;
    const message = `${slot.what} cannot be empty`;
    reader.report({ at: node.at, code: "empty", message });
  },
};

const operationName: Value<string> = {
  schema: v.pipe(v.string(), v.regex(NAME)),
  form: { type: "string", pattern: NAME.source },
  read(node, slot, reader) {
    const name = readString(node, slot, reader);
    if (name === undefined || NAME.test(name)) return name;
    reader.report({
      at: node.at,
      code: "bad-name",
      message:
        `${slot.what} must be a name of the document, but it is "${name}"`,
      hint: name.includes("{{")
        ? "it is not templated"
        : "a name has letters, digits and _ and does not begin with a digit",
    });
  },
};

/** A `graphql` block; `query` is the document. */
export const graphqlBlock = mapping({
  url: required(
    url,
    "where to; a relative URL joins the target's first base URL",
    {
      alias: "endpoint",
    },
  ),
  query: required(
    document,
    "the document, sent as it is written: comments, spaces and all",
  ),
  variables: optional(
    payloadOf("names to values"),
    "values of the operation's variables; templates go here",
  ),
  operation_name: optional(
    operationName,
    "which operation to run, when the document has several",
  ),
  on_errors: defaulted(
    oneOf(ON_ERRORS),
    ON_ERRORS[0],
    "what a non-empty `errors` list in the response means",
  ),
  ...beside({ headers: optional(headers, "request headers") }),
}, { whole: true });
export type GraphqlBlock = ValueOf<typeof graphqlBlock>;
