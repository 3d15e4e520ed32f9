import { shortened } from "../../../base/values/shortened.ts";
import type protobuf from "protobufjs";
import { jsonType, type JsonValue } from "../../../base/values/json.ts";
import type { Library } from "./library.ts";

/** A message quotes this much of a value. */
const LONGEST = 61;

/** Enums with more values than this are named instead of listed. */
const MOST_VALUES = 8;

/** A field, or what is in it, as a message begins. */
export function whatOf({ map, repeated }: protobuf.Field, key: string): string {
  if (map) return `each value of \`${key}\``;
  return repeated ? `each item of \`${key}\`` : `\`${key}\``;
}

/** What a field takes, with its article. */
export function describeField(
  { resolvedType, type }: protobuf.Field,
  library: Library,
): string {
  if (resolvedType instanceof library.protobuf.Type) {
    return `a \`${resolvedType.name}\``;
  }
  if (resolvedType instanceof library.protobuf.Enum) {
    const names = Object.keys(resolvedType.values);
    return names.length <= MOST_VALUES
      ? `one of ${names.join(", ")}`
      : `a value of the enum \`${resolvedType.name}\``;
  }
  switch (type) {
    case "bool":
      return "true or false";
    case "bytes":
      return "base64 text";
    default:
      return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
  }
}

/** What was written, in words. */
export function describeValue(value: JsonValue): string {
  if (value === null) return "null";
  const type = jsonType(value);
  if (type === "list") return "a list";
  if (type === "object") return "a mapping";
  const text = JSON.stringify(value);
  return `the ${type} ${shortened(text, LONGEST)}`;
}

/** The JSON form of a well-known type. */
export function exampleOf(
  name: string,
): { readonly what: string; readonly hint?: string } {
  switch (name) {
    case "Timestamp":
      return {
        what: "an RFC 3339 time as a string",
        hint: 'for example "2026-01-31T12:00:00Z"',
      };
    case "Duration":
      return { what: "seconds as a string", hint: 'for example "1.5s"' };
    case "FieldMask":
      return {
        what: "a string of paths in lowerCamelCase",
        hint: 'for example "name,unitPrice"',
      };
    case "Any":
      return {
        what: "a mapping with `@type` naming a message of the schema",
        hint: 'for example { "@type": "type.googleapis.com/shop.v1.Item" }',
      };
    case "Struct":
      return { what: "a mapping" };
    case "ListValue":
      return { what: "a list" };
    case "Int64Value":
    case "UInt64Value":
    case "Int32Value":
    case "UInt32Value":
      return { what: "a whole number in range" };
    case "DoubleValue":
    case "FloatValue":
      return { what: "a number in range" };
    case "BoolValue":
      return { what: "true or false" };
    case "BytesValue":
      return { what: "base64 text" };
    case "StringValue":
      return { what: "a string" };
    default:
      return { what: "something else" };
  }
}
