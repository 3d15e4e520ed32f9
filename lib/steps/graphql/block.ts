import * as v from "valibot";
import { anyObject } from "../../model/ir/json_value.ts";
import {
  type Fields,
  type ForeignKey,
  type KeyTable,
  readMapping,
} from "../../language/source/mapping.ts";
import { mappingWith } from "../../language/source/mapping_form.ts";
import { type Form, oneWord, PAYLOAD } from "../../language/source/form.ts";
import { describe, type Node } from "../../language/source/node.ts";
import { readPayload } from "../../language/source/payload.ts";
import type { Reader } from "../../language/source/reader.ts";
import { readChoice, readString } from "../../language/source/scalars.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { isObject, type JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { ONE_URL, readBlockUrl, URL_KEYS } from "../http/block_url.ts";
import { ON_ERRORS } from "./answer.ts";
import { HTTP_FIELDS } from "../http/block.ts";
import type { StepKey } from "../protocol.ts";

/** GraphQL, section 2.1.9. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The keys of a `graphql` block. */
const GRAPHQL_KEYS = {
  ...URL_KEYS,
  query: {
    required: true,
    doc: "the document, sent as it stands",
    form: {
      type: "string",
      pattern:
        "^(?![\\s\\S]*\\{\\{\\s*[A-Za-z_][\\w.-]*\\s*\\}\\})[\\s\\S]*\\S",
    },
  },
  variables: {
    doc: "values of the operation's variables",
    form: { type: "object", ...PAYLOAD },
  },
  operation_name: {
    doc: "which operation of the document to run",
    form: { type: "string", pattern: NAME.source },
  },
  on_errors: {
    doc: `what errors mean: ${ON_ERRORS.join(", ")}`,
    form: oneWord(ON_ERRORS),
  },
} as const satisfies KeyTable;

/** A `graphql` block to an editor. */
export const GRAPHQL_FORM: Form = mappingWith(GRAPHQL_KEYS, ONE_URL);

/** The step keys that stand beside the block. */
export const GRAPHQL_STEP_KEYS = [
  "headers",
  "extract",
  "assert",
  "retry",
  "throttle",
  "auth",
] as const satisfies readonly StepKey[];

/** The IR block; `query` is the document. */
export const graphqlSchema = v.strictObject({
  url: HTTP_FIELDS.url,
  headers: HTTP_FIELDS.headers,
  query: v.pipe(v.string(), v.minLength(1)),
  variables: v.exactOptional(anyObject),
  operation_name: v.exactOptional(v.pipe(v.string(), v.regex(NAME))),
  on_errors: v.picklist(ON_ERRORS),
});
export type GraphqlBlock = v.InferOutput<typeof graphqlSchema>;

type GraphqlFields = Fields<keyof typeof GRAPHQL_KEYS>;
type Key = keyof typeof GRAPHQL_KEYS;

/**
 * Reads a block; every mistake is reported.
 *
 * @param pointer JSON Pointer of the block
 */
export function readGraphqlBlock(
  action: Node,
  pointer: string,
  reader: Reader,
): GraphqlBlock | undefined {
  const what = "`graphql`";
  const foreign = belongsBeside(reader);
  const fields = readMapping(action, GRAPHQL_KEYS, what, reader, foreign);
  if (!fields) return;
  const mistakes = reader.diagnostics.count;
  const at = (key: Key, read: (node: Node, pointer: string) => unknown) => {
    const node = fields.get(key)?.value;
    const place = child(pointer, key);
    if (node) reader.place(place, node.at);
    return node && read(node, place);
  };
  const block = {
    url: readUrl(fields, pointer, reader),
    query: at("query", (node) => readDocument(node, reader)),
    variables: at(
      "variables",
      (node, place) => readVariables(node, place, reader),
    ),
    operation_name: at("operation_name", (node) => readName(node, reader)),
    on_errors: fields.get("on_errors")
      ? at(
        "on_errors",
        (node) => readChoice(node, "`on_errors`", ON_ERRORS, reader),
      )
      : "fail",
  };
  if (reader.diagnostics.count > mistakes) return;
  const said = Object.entries(block).filter(([, value]) => value !== undefined);
  const result = v.safeParse(graphqlSchema, Object.fromEntries(said));
  return result.success ? result.output : undefined;
}

/** A step's key inside the block stands one level too deep. */
function belongsBeside(reader: Reader): ForeignKey {
  return ({ key, keyAt }) => {
    if (!GRAPHQL_STEP_KEYS.some((each) => each === key)) return false;
    reader.report({
      at: keyAt,
      code: "unknown-key",
      message: `\`${key}\` does not go into \`graphql\``,
      hint: `put it beside \`graphql\`, one level up`,
    });
    return true;
  };
}

function readUrl(fields: GraphqlFields, pointer: string, reader: Reader) {
  if (!fields.get("url") && !fields.get("endpoint")) {
    reader.report({
      at: fields.node.at,
      code: "missing-key",
      message: "`graphql` needs `url` or `endpoint`",
      hint: "for example `url: /graphql`",
    });
  }
  return readBlockUrl(fields, pointer, reader);
}

/** A template in a document, and the way out. */
export function templateInDocument<At>(
  written: string,
  at: At,
): Diagnostic<At> {
  return {
    at,
    code: "template-in-document",
    message:
      `${written} stands in a GraphQL document, which is sent verbatim: templates are not supported there`,
    hint:
      "declare a variable, such as `query ($id: ID!)`, and put the template into `variables`",
  };
}

function readDocument(node: Node, reader: Reader): string | undefined {
  if (node.kind === "map" && node.unquotedTemplate) {
    reader.report(templateInDocument(node.unquotedTemplate, node.at));
    return;
  }
  if (node.kind !== "scalar") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`query\` must be a GraphQL document, but to YAML it is ${
        describe(node)
      }`,
      hint: "write `query: |` and the document on the lines below it",
    });
    return;
  }
  const text = readString(node, "`query`", reader);
  if (text === undefined || text.trim() !== "") return text;
  reader.report({
    at: node.at,
    code: "empty",
    message: "`query` must not be empty",
  });
}

function readVariables(
  node: Node,
  pointer: string,
  reader: Reader,
): JsonObject | undefined {
  if (node.kind !== "map") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`variables\` must be a mapping of names to values, but it is ${
        describe(node)
      }`,
    });
    return;
  }
  const variables = readPayload(node, pointer, reader);
  return isObject(variables) && Object.keys(variables).length > 0
    ? variables
    : undefined;
}

function readName(node: Node, reader: Reader): string | undefined {
  const name = readString(node, "`operation_name`", reader);
  if (name === undefined || NAME.test(name)) return name;
  reader.report({
    at: node.at,
    code: "bad-name",
    message:
      `\`operation_name\` must be a name of the document, but it is "${name}"`,
    hint: name.includes("{{")
      ? "it is not templated"
      : "a name has letters, digits and _ and does not begin with a digit",
  });
}
