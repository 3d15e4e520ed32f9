import type { Scalar } from "yaml";
import type { Span } from "../../base/text/span.ts";
import { jsonNumber, wellFormed } from "./json_scalar.ts";
import type { ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";

/** A scalar's value as JSON has it; reports what JSON has no number for. */
export function scalarValue(
  node: Scalar,
  span: Span,
  reader: Reader,
): ScalarNode["value"] {
  const { value } = node;
  if (typeof value === "number") {
    return jsonNumber(value, node.source ?? "", span, reader);
  }
  if (value === null || typeof value === "boolean") return value;
  return wellFormed(String(value), span, reader);
}
