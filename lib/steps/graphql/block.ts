import {
  beside,
  defaulted,
  optional,
  required,
} from "../../language/fields/field.ts";
import { mapping } from "../../language/fields/mapping.ts";
import { filled } from "../../language/fields/plain.ts";
import { matching, oneOf, string } from "../../language/fields/scalars.ts";
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

const text = filled(string);

/** The document, sent as it is written. */
const document: Value<string> = {
  ...text,
  form: {
    type: "string",
    pattern: `^(?![\\s\\S]*${TEMPLATE})[\\s\\S]*\\S`,
  },
  read(slot) {
    const { node, what } = slot;
    if (node.kind === "map" && node.unquotedTemplate) {
      return slot.report(templateInDocument(node.unquotedTemplate, node.at));
    }
    if (node.kind === "scalar") return text.read(slot);
    const expected = `${what} must be a GraphQL document`;
    const hint = "write `query: |` and the document on the lines below it";
    return slot.refuse("wrong-type", expected, hint);
  },
};

const operationName = matching(NAME, (name, { what }) => ({
  code: "bad-name",
  message: `${what} must be a name of the document, but it is "${name}"`,
  hint: name.includes("{{")
    ? "it is not templated"
    : "a name has letters, digits and _ and does not begin with a digit",
}));

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
});
export type GraphqlBlock = ValueOf<typeof graphqlBlock>;
