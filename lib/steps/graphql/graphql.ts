import { compilePayload } from "../../language/expressions/payload.ts";
import {
  joinedText,
  partOf,
  type TextTemplate,
} from "../../language/expressions/text_template.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { TextPosition } from "../../base/text/within.ts";
import { judgeGraphql } from "./graphql_response.ts";
import {
  type GraphqlBlock,
  graphqlBlock,
  TEMPLATE,
  templateInDocument,
} from "./block.ts";
import { documentProblems, operationNames } from "./document.ts";
import { openHttp } from "../http/attempt.ts";
import type { HttpBlock } from "../http/block.ts";
import { jsonBody } from "../http/body.ts";
import { checkBodies } from "../http/body_fields.ts";
import { STEP_KEYS } from "../../language/flow/kind.ts";
import type { OpenTools, Protocol } from "../protocol.ts";

/** One GraphQL operation as an HTTP POST, and the `errors` of its response judged. */
export const graphql: Protocol<GraphqlBlock> = {
  kind: "graphql",
  doc: "a GraphQL query or mutation",
  block: graphqlBlock,
  keys: STEP_KEYS,
  requests: true,
  facts: operationOf,
  checkFlow(steps, report) {
    checkBodies(
      steps.map(({ block: { headers = {}, query = "" }, ...step }) => ({
        ...step,
        block: { headers, body: query },
      })),
      report,
    );
    for (const { block: { query = "" }, pointer } of steps) {
      for (const { written, position } of templatesIn(query)) {
        const at = { pointer: `${pointer}/block/query`, inside: position };
        report(templateInDocument(written, at));
      }
    }
  },
  checkedKeys: ["query", "operation_name", "variables"],
  // A template in a document was reported, and is no GraphQL.
  checkDocument: async (block) =>
    templatesIn(block.query).length > 0 ? [] : await documentProblems(block),
  offer: async ([key], { query }) =>
    key === "operation_name" ? { words: await operationNames(query) } : {},
  open: (block, tools) =>
    openHttp(requestOf(block), tools, {
      body: jsonBody(bodyOf(block, tools)),
      judge: judgeGraphql(block.on_errors),
    }),
};

/** The operation, as far as the block names it. */
function operationOf(
  { operation_name, query }: GraphqlBlock,
): Readonly<Record<string, string>> {
  const [, named] = /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/m.exec(query) ??
    [];
  const operation = operation_name ?? named;
  return operation === undefined ? {} : { operation };
}

/** The request without its body. */
function requestOf({ url, headers }: GraphqlBlock): HttpBlock {
  return { method: "POST", url, ...(headers && { headers }) };
}

/**
 * The body: keys in canonical order (RFC 8785), the document verbatim, so that
 * only `variables` have holes.
 */
function bodyOf(block: GraphqlBlock, { names }: OpenTools): TextTemplate {
  const { query, operation_name, variables } = block;
  const name = operation_name === undefined
    ? ""
    : `"operationName":${canonical(operation_name)},`;
  const head = `{${name}"query":${canonical(query)}`;
  if (!variables || Object.keys(variables).length === 0) {
    return joinedText([`${head}}`]);
  }
  const values = compilePayload(variables, names);
  return joinedText([`${head},"variables":`, partOf(values), "}"]);
}

function templatesIn(
  document: string,
): { readonly written: string; readonly position: TextPosition }[] {
  return document.split(/\r\n|[\r\n]/).flatMap((text, index) =>
    [...text.matchAll(new RegExp(TEMPLATE, "g"))].map((
      { 0: written, index: at },
    ) => ({
      written,
      position: { line: index + 1, column: at + 1, length: written.length },
    }))
  );
}
