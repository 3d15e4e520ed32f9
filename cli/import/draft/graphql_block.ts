import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import { betweenWords } from "./names.ts";
import { hasTemplate } from "./template_text.ts";

/** How a document of GraphQL begins. */
export const OPERATION =
  /^\s*(?:#.*\n\s*)*(?:(query|mutation)\b\s*(\w+)?|fragment\b|\{)/;

/** The block of a body that is a GraphQL request, and what the step is called. */
export function graphqlBlock(
  method: string,
  body: JsonValue | undefined,
  url: string,
): { readonly block: JsonObject; readonly name: string } | undefined {
  if (method !== "POST" || !isObject(body)) return;
  const { query, variables, operationName, ...others } = body;
  if (typeof query !== "string" || Object.keys(others).length > 0) return;
  const found = OPERATION.exec(query);
  // A document is never templated, and neither is the name of an operation.
  if (!found || hasTemplate(query) || query.includes("{{")) return;
  if (operationName !== undefined && !isName(operationName)) return;
  const [, kind = "query", name] = found;
  const operation = operationName ?? name;
  return {
    name: operation === undefined
      ? `graphql-${kind}`
      : betweenWords(operation, "-"),
    block: {
      url,
      query,
      ...(isObject(variables) && Object.keys(variables).length > 0 &&
        { variables }),
      ...(operationName !== undefined && { operation_name: operationName }),
    },
  };
}

function isName(value: JsonValue): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}
