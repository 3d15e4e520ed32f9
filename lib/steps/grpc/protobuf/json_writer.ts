import type protobuf from "protobufjs";
import {
  isObject,
  type JsonValue,
  setMember,
} from "../../../base/values/json.ts";
import type { Library } from "./library.ts";

/** The full name of a message, service or field, without its leading dot. */
export function nameOf({ fullName }: protobuf.ReflectionObject): string {
  return fullName.replace(/^\./, "");
}

/**
 * Gives a group the name protoc gives it: the group's name in lower case
 * (`MultiWord` is `multiword`), where the library's begins with a small letter.
 */
export function nameGroup(field: protobuf.Field): void {
  const type = field.resolvedType as (protobuf.Type & { group?: true }) | null;
  if (!type?.group) return;
  const name = type.name.toLowerCase();
  Object.assign(field, { protoName: name, jsonName: name });
}

/** The key of a field in JSON; that of an extension is its full name in brackets. */
export function jsonNameOf(field: protobuf.Field): string {
  const { declaringField } = field;
  if (!declaringField) return field.jsonName ?? field.name;
  const { protoName = "" } = declaringField;
  return `[${nameOf(declaringField).replace(/[^.]+$/, protoName)}]`;
}

/** The name of a field in messages: as its schema spells it. */
export function writtenNameOf(field: protobuf.Field): string {
  return field.declaringField
    ? jsonNameOf(field)
    : field.protoName ?? field.name;
}

/** The field of a JSON key: by its JSON name or as the schema spells it. */
export function fieldOf(
  type: protobuf.Type,
  key: string,
): protobuf.Field | undefined {
  return type.fieldsArray.find((each) =>
    jsonNameOf(each) === key || writtenNameOf(each) === key
  );
}

/** Writes a decoded message as JSON. */
type JsonWriter = (message: Decoded) => JsonValue;

/** A message as the library decodes it: fields that were on the wire are own. */
export type Decoded = Readonly<Record<string, unknown>>;

type ValueWriter = (value: unknown) => JsonValue;

/** Puts one field into the JSON object. */
type FieldWriter = (message: Decoded, into: Record<string, JsonValue>) => void;

/**
 * Compiles the canonical proto3 JSON form of a message type, with one addition:
 * a field that cannot be absent is always written, also when it holds its
 * default (the mapping's own option for that). So `$.count == 0` and
 * `$.items == []` hold for a response that left them out.
 *
 * Fields with presence (messages, `optional`, members of a `oneof`) are written
 * when they were sent. A float is written as the shortest decimal that reads
 * back as the same float.
 */
export function compileJsonWriter(
  type: protobuf.Type,
  library: Library,
): JsonWriter {
  return new Compiler(library).message(type);
}

class Compiler {
  readonly #known = new Map<protobuf.Type, JsonWriter>();
  /** Of messages in an `Any` in an `Any`, which no decoder bounds. */
  #depth = 0;

  constructor(readonly library: Library) {}

  message(type: protobuf.Type): JsonWriter {
    const known = this.#known.get(type) ?? this.#wellKnown(type);
    if (known) return known;
    const fields: FieldWriter[] = [];
    const write: JsonWriter = (message) => {
      const json: Record<string, JsonValue> = {};
      for (const field of fields) field(message, json);
      return json;
    };
    // Before its fields, because a type may hold itself.
    this.#known.set(type, write);
    for (const field of type.fieldsArray) fields.push(this.#field(field));
    return write;
  }

  /** Some types have a JSON form of their own. */
  #wellKnown(type: protobuf.Type): JsonWriter | undefined {
    if (!SPECIAL.test(type.fullName)) return undefined;
    if (type.name === "Any") return (message) => this.#any(type, message);
    if (type.name === "FloatValue") {
      return ({ value }) => number(shortest(Number(value ?? 0)));
    }
    const { protojson } = this.library;
    return (message) => protojson.toJson(type, message) as JsonValue;
  }

  #any(any: protobuf.Type, message: Decoded): JsonValue {
    const url = String(message.type_url ?? message.typeUrl ?? "");
    if (url === "") return {};
    const name = url.slice(url.lastIndexOf("/") + 1);
    const found = any.root.lookup(name, [this.library.protobuf.Type]);
    const bytes = message.value as Uint8Array | undefined;
    // A type the schema does not have cannot be read; its bytes can be shown.
    if (!found) return { "@type": url, value: base64(bytes) };
    const inner = found as protobuf.Type;
    if (this.#depth >= MOST_DEPTH) throw new Error("it is nested too deeply");
    this.#depth++;
    try {
      const json = this.message(inner)(decodeAny(inner, bytes));
      return isObject(json) && !SPECIAL.test(inner.fullName)
        ? { "@type": url, ...json }
        : { "@type": url, value: json };
    } finally {
      this.#depth--;
    }
  }

  #field(field: protobuf.Field): FieldWriter {
    field.resolve();
    const { name } = field;
    const jsonName = jsonNameOf(field);
    const value = this.#value(field);
    if (field instanceof this.library.protobuf.MapField) {
      return this.#map(field, jsonName, value);
    }
    if (field.repeated) {
      return (message, into) => {
        const items = message[name] as readonly unknown[] | undefined;
        setMember(into, jsonName, items ? items.map(value) : []);
      };
    }
    const { Type } = this.library.protobuf;
    if (field.hasPresence || field.resolvedType instanceof Type) {
      return (message, into) => {
        const found = message[name];
        if (Object.hasOwn(message, name) && found != null) {
          setMember(into, jsonName, value(found));
        }
      };
    }
    const initial = value(field.defaultValue);
    return (message, into) => {
      const found = message[name];
      const sent = Object.hasOwn(message, name) && found != null;
      setMember(into, jsonName, sent ? value(found) : initial);
    };
  }

  #map(
    { name, keyType }: protobuf.MapField,
    jsonName: string,
    value: ValueWriter,
  ): FieldWriter {
    const { util } = this.library.protobuf;
    const unsigned = keyType === "uint64" || keyType === "fixed64";
    const keyOf = LONG.has(keyType)
      ? (key: string) => util.longFromKey(key, unsigned).toString()
      : (key: string) => key;
    return (message, into) => {
      const json: Record<string, JsonValue> = {};
      const entries = message[name] as Record<string, unknown> | undefined;
      for (const key of Object.keys(entries ?? {})) {
        setMember(json, keyOf(key), value(entries![key]));
      }
      setMember(into, jsonName, json);
    };
  }

  #value({ resolvedType, type }: protobuf.Field): ValueWriter {
    const { Enum, Type } = this.library.protobuf;
    if (resolvedType instanceof Type) {
      const inner = resolvedType;
      // Looked up late: the type may be one that is being compiled.
      let write: JsonWriter | undefined;
      return (value) => (write ??= this.message(inner))(value as Decoded);
    }
    if (resolvedType instanceof Enum) {
      if (resolvedType.fullName === ".google.protobuf.NullValue") {
        return () => null;
      }
      const { valuesById } = resolvedType;
      return (value) => valuesById[Number(value)] ?? Number(value);
    }
    return SCALARS[type] ?? ((value) => value as JsonValue);
  }
}

const MOST_DEPTH = 100;

function decodeAny(
  type: protobuf.Type,
  bytes: Uint8Array | undefined,
): Decoded {
  try {
    return type.decode(bytes ?? new Uint8Array(0)) as unknown as Decoded;
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(
      `its google.protobuf.Any does not hold \`${nameOf(type)}\`: ${why}`,
    );
  }
}

/** Types with a JSON form of their own. */
export const SPECIAL: RegExp =
  /^\.google\.protobuf\.(?:Any|Duration|Timestamp|FieldMask|Struct|Value|ListValue|(?:Double|Float|Int64|UInt64|Int32|UInt32|Bool|String|Bytes)Value)$/;

const LONG: ReadonlySet<string> = new Set([
  "int64",
  "sint64",
  "sfixed64",
  "uint64",
  "fixed64",
]);

const SCALARS: Readonly<Record<string, ValueWriter>> = {
  ...Object.fromEntries([...LONG].map((each) => [each, String])),
  bytes: (value) => base64(value as Uint8Array),
  double: (value) => number(value as number),
  float: (value) => number(shortest(value as number)),
};

/** JSON has no number for these three. */
function number(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value);
}

/** Below it a float has fewer digits the smaller it is. */
const LEAST_NORMAL_FLOAT = 2 ** -126;

/** A float read as a double has digits that were not sent: 0.1 is 0.10000000149011612. */
function shortest(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const least = Math.abs(value) < LEAST_NORMAL_FLOAT ? 1 : 6;
  for (let digits = least; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function base64(bytes: ArrayLike<number> | undefined): string {
  return bytes === undefined ? "" : Uint8Array.from(bytes).toBase64();
}
