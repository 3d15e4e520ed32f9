import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { shortened } from "../../base/text/display.ts";
import { readable } from "../../base/values/canonical.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import type { Words } from "../../language/expressions/elsewhere.ts";
import {
  beside,
  defaulted,
  optional,
  required,
  type Value,
  type ValueOf,
} from "../../language/fields/field.ts";
import { typedValue } from "../../language/expressions/mismatch.ts";
import { mapping } from "../../language/fields/mapping.ts";
import {
  filled,
  matching,
  oneOf,
  string,
} from "../../language/fields/scalars.ts";
import { payloadOf } from "../../language/fields/templates.ts";
import type { Failure } from "../../model/result/failure.ts";
import { headers, url } from "../http/block.ts";
import {
  type HttpResponse,
  type Judge,
  judgeStatus,
  redirection,
  statusWords,
} from "../http/response.ts";

/** The meanings of errors beside the data. */
export const ON_ERRORS = ["fail", "allow_partial", "ignore"] as const;
type OnErrors = typeof ON_ERRORS[number];

/**
 * Judges a response as a GraphQL response (GraphQL, section 7.1; GraphQL over
 * HTTP, section 6.4). Both media types are read: only the body decides.
 */
export function judgeGraphql(onErrors: OnErrors): Judge {
  return (response) => {
    const body = response.json();
    const broken = judgeStatus(response);
    if (broken) return withFirstError(broken, body);
    const { status } = response.wire;
    if (status >= 300) {
      return {
        code: "status",
        message: `response status was ${
          statusWords(response.wire)
        }, not a GraphQL response${redirection(response.wire)}`,
      };
    }
    if (!isResponse(body)) return notGraphql(response, body);
    const { errors } = body;
    if (
      onErrors === "ignore" || !Array.isArray(errors) || errors.length === 0
    ) return;
    const resolved = hasData(body.data);
    if (onErrors === "allow_partial" && resolved) return;
    return errorFailure(errors, onErrors === "allow_partial");
  };
}

/** An object or null under `data`, a list or null under `errors`; one of them or both. */
function isResponse(body: JsonValue | undefined): body is JsonObject {
  if (!isObject(body)) return false;
  const { data, errors } = body;
  return (data !== undefined || errors !== undefined) &&
    isData(data) &&
    (errors === undefined || errors === null || Array.isArray(errors));
}

function isData(data: JsonValue | undefined): boolean {
  return data === undefined || data === null || isObject(data);
}

/** Something of the selection was resolved: not every root field is null. */
function hasData(data: JsonValue | undefined): boolean {
  return isObject(data) && Object.values(data).some((each) => each !== null);
}

/** The server says in `errors` why the status is what it is. */
function withFirstError(
  failure: Failure,
  body: JsonValue | undefined,
): Failure {
  const errors = isObject(body) ? body.errors : undefined;
  if (!Array.isArray(errors) || errors.length === 0) return failure;
  return { ...failure, message: `${failure.message}: ${summary(errors)}` };
}

function notGraphql(
  response: HttpResponse,
  body: JsonValue | undefined,
): Failure {
  const type = response.wire.header("content-type");
  const unread = response.bodyFailure;
  if (unread) return unread;
  return {
    code: "protocol",
    message: `the response is not a GraphQL response: ${
      body === undefined
        ? response.bodyText() === ""
          ? "its body is empty"
          : `its body is not JSON${type ? ` (Content-Type: ${type})` : ""}`
        : !isObject(body)
        ? "its JSON is not an object"
        : !isData(body.data)
        ? "its `data` is neither an object nor null"
        : body.errors === undefined
        ? "it has neither `data` nor `errors`"
        : "its `errors` is not a list"
    }`,
  };
}

/** The first error with its path, which the report must not lose. */
function errorFailure(
  errors: readonly JsonValue[],
  expectedData: boolean,
): Failure {
  const [first = null] = errors;
  return {
    code: "graphql",
    message: (expectedData ? "no data was resolved: " : "") + summary(errors),
    expected: { type: "nothing", text: "" },
    actual: isObject(first)
      ? { type: "object", text: shortened(pathFirst(first)) }
      : typedValue(first),
  };
}

function summary(errors: readonly JsonValue[]): string {
  const [first = null] = errors;
  const { message, path } = isObject(first)
    ? first
    : { message: first, path: undefined };
  const at = Array.isArray(path) && path.length > 0
    ? ` at ${pathText(path)}`
    : "";
  const words = typeof message === "string" ? message : readable(first);
  const what = errors.length > 1
    ? `${errors.length} GraphQL errors, the first`
    : "GraphQL error";
  return `${what}${at}: ${shortened(words.toWellFormed())}`;
}

/** `user.posts[0].title` of `["user", "posts", 0, "title"]`. */
function pathText(path: readonly JsonValue[]): string {
  return path.map((each, index) =>
    typeof each === "number"
      ? `[${each}]`
      : `${index > 0 ? "." : ""}${
        typeof each === "string" ? each.toWellFormed() : readable(each)
      }`
  ).join("");
}

function pathFirst(error: JsonObject): string {
  const { path, message, ...rest } = error;
  const parts = Object.entries({ path, message, ...rest })
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return `{${
    parts.map(([key, value]) => `${readable(key)}:${readable(value)}`)
      .join(",")
  }}`;
}

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
  hint: name === ""
    ? "leave it out where the document has one operation: an empty name selects none"
    : name.includes("{{")
    ? "it is not templated"
    : "a name has letters, digits and _ and does not begin with a digit",
}));

/** Words of other tools, with the way out. */
const WORDS: Words = {
  "document|mutation|subscription|gql|operation": "did you mean `query`?",
  "vars?|params?|parameters|inputs?|arguments|args|payload|values?":
    "did you mean `variables`?",
  "name|query_name": "did you mean `operation_name`?",
  "errors?|error_policy|allow_errors|ignore_errors?|partial":
    "did you mean `on_errors`?",
  "path|uri|host|server|address": "did you mean `url`?",
  "body|json|data": "the body is made of `query` and `variables`",
  "extensions?|persisted_query|persisted|apq|sha256_hash|batch":
    "a body of another form is that of a `call`: `call: POST /graphql` with `body`",
  "methods?|verb": "a GraphQL request is always a POST",
  "fragments?|files?": "the document holds its fragments itself",
  "header|request_headers": "`headers` stand beside `graphql`, one level up",
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
}, {
  places: [WORDS],
  hint: 'for example `graphql: { url: /graphql, query: "{ shop { id } }" }`',
});
export type GraphqlBlock = ValueOf<typeof graphqlBlock>;
