import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import { betweenWords } from "./names.ts";

const OPERATION =
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
  if (!found || query.includes("{{")) return;
  const [, kind = "query", name] = found;
  const operation = typeof operationName === "string" ? operationName : name;
  return {
    name: operation === undefined
      ? `graphql-${kind}`
      : betweenWords(operation, "-"),
    block: {
      url,
      query,
      ...(isObject(variables) && Object.keys(variables).length > 0 &&
        { variables }),
      ...(typeof operationName === "string" && {
        operation_name: operationName,
      }),
    },
  };
}
