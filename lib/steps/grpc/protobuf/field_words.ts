import type protobuf from "protobufjs";
import type { Diagnostic, IrLocation } from "../../../base/text/diagnostic.ts";
import { shortened } from "../../../base/text/display.ts";
import { jsonType, type JsonValue } from "../../../base/values/json.ts";
import { type Decoded, nameOf, writtenNameOf } from "./json_writer.ts";
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

/** The type of a field's value, with its article. */
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
  return describeScalar(type);
}

function describeScalar(type: string): string {
  switch (type) {
    case "bool":
      return "true or false";
    case "bytes":
      return "base64 text";
    default:
      return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
  }
}

/** The type of a map's keys, with its article. */
export function describeKey(field: protobuf.Field): string {
  return describeScalar((field as unknown as protobuf.MapField).keyType);
}

/** The written value in words. */
export function describeValue(value: JsonValue): string {
  if (value === null) return "null";
  const type = jsonType(value);
  if (type === "list") return "a list";
  if (type === "object") {
    const keys = Object.keys(value);
    return keys.length === 0
      ? "an empty mapping"
      : `a mapping with \`${shortened(keys.join(", "), LONGEST)}\``;
  }
  const text = JSON.stringify(value);
  return `the ${type} ${shortened(text, LONGEST)}`;
}

interface Example {
  readonly what: string;
  readonly hint?: string;
}

const WHOLE: Example = { what: "a whole number in range" };
const NUMBER: Example = { what: "a number in range" };

/** The JSON forms of well-known types. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  Timestamp: {
    what: "an RFC 3339 time as a string",
    hint: 'for example "2026-01-31T12:00:00Z"',
  },
  Duration: { what: "seconds as a string", hint: 'for example "1.5s"' },
  FieldMask: {
    what: "a string of paths in lowerCamelCase",
    hint: 'for example "name,unitPrice"',
  },
  Any: {
    what: "a mapping whose `@type` names a message of the schema",
    hint: 'for example { "@type": "type.googleapis.com/shop.v1.Item" }',
  },
  Struct: { what: "a mapping" },
  ListValue: { what: "a list" },
  Int64Value: WHOLE,
  UInt64Value: WHOLE,
  Int32Value: WHOLE,
  UInt32Value: WHOLE,
  DoubleValue: NUMBER,
  FloatValue: NUMBER,
  BoolValue: { what: "true or false" },
  BytesValue: { what: "base64 text" },
  StringValue: { what: "a string" },
};

/** The JSON form of a well-known type. */
export function exampleOf(name: string): Example {
  return EXAMPLES[name] ?? { what: "something else" };
}

/** The first required field that a message leaves out, such as `p.Item.id`. */
type FindMissing = (message: protobuf.Message) => string | undefined;

/**
 * Looks for required fields (proto2) that have no value, in messages inside the
 * message, too. The library would send them with their defaults.
 *
 * @returns undefined when no message of the type can have one
 */
export function compileRequired(
  type: protobuf.Type,
  library: Library,
): FindMissing | undefined {
  return typesWithin(type, library).some(hasRequired)
    ? (message) => missingIn(type, message as unknown as Decoded, library)
    : undefined;
}

/** The type and all that its fields lead to. */
export function typesWithin(
  type: protobuf.Type,
  library: Library,
): readonly protobuf.Type[] {
  const found = new Set([type]);
  // What is added while the set is walked is walked as well.
  for (const each of found) {
    for (const field of each.fieldsArray) {
      const { resolvedType } = field.resolve();
      if (resolvedType instanceof library.protobuf.Type) {
        found.add(resolvedType);
      }
    }
  }
  return [...found];
}

function hasRequired({ fieldsArray }: protobuf.Type): boolean {
  return fieldsArray.some(({ required }) => required);
}

function missingIn(
  type: protobuf.Type,
  message: Decoded,
  library: Library,
): string | undefined {
  for (const field of type.fieldsArray) {
    // Defaults are properties of the prototype.
    const value = Object.hasOwn(message, field.name)
      ? message[field.name]
      : undefined;
    if (value === undefined || value === null) {
      if (field.required) return `${nameOf(type)}.${writtenNameOf(field)}`;
      continue;
    }
    const { resolvedType } = field;
    if (!(resolvedType instanceof library.protobuf.Type)) continue;
    const inner = field.map || field.repeated ? Object.values(value) : [value];
    for (const each of inner) {
      const missing = missingIn(resolvedType, each, library);
      if (missing !== undefined) return missing;
    }
  }
  return undefined;
}

/** The required fields of a type that a message as it is written leaves out. */
export function missingFields(
  type: protobuf.Type,
  given: ReadonlySet<protobuf.Field>,
  pointer: string,
  library: Library,
): Diagnostic<IrLocation>[] {
  return type.fieldsArray
    .filter((field) => field.required && !given.has(field))
    .map((field) => {
      const name = writtenNameOf(field.resolve());
      return {
        at: pointer,
        code: "missing-field",
        message: `\`${nameOf(type)}\` needs \`${name}\`, a required field`,
        hint: `\`${name}\`: ${describeField(field, library)}`,
      };
    });
}
