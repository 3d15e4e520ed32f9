import type { Scalar } from "yaml";
import type { SourceLocation } from "../../base/text/location.ts";
import { jsonNumber, wellFormed } from "./json_scalar.ts";
import type { ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";

/** A scalar's value as JSON has it; reports what JSON has no number for. */
export function scalarValue(
  node: Scalar,
  at: SourceLocation,
  reader: Reader,
): ScalarNode["value"] {
  const { value } = node;
  if (typeof value === "number") {
    return jsonNumber(value, node.source ?? "", at, reader);
  }
  if (value === null || typeof value === "boolean") return value;
  return wellFormed(String(value), at, reader);
}
