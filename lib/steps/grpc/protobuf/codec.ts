import type protobuf from "protobufjs";
import { BenchError } from "../../../base/errors/bench_error.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../base/values/json.ts";
import { hasLongInteger, readJson } from "../../../base/values/read_json.ts";
import {
  compileJsonWriter,
  type Decoded,
  fieldOf,
  SPECIAL,
} from "./json_writer.ts";
import type { UnaryMethod } from "./method.ts";
import type { Library } from "./library.ts";
import { compileRequired, typesWithin } from "./field_words.ts";

/** The largest float, as a double is written that rounds to it; the library takes it for larger. */
const LARGEST_FLOAT = "3.4028235e+38";

/** Turns JSON into the bytes of a method's messages and back. */
export interface Codec {
  /**
   * The bytes of a request message from its JSON text.
   *
   * @throws {MessageError} when the JSON does not fit the message type
   */
  encode(json: string): Uint8Array;
  /**
   * Fields of `bytes` are views of what is decoded, not copies.
   *
   * @throws {Error} when the bytes are no response message
   */
  decode(bytes: Uint8Array): Decoded;
  /** A response may have such a field. */
  readonly views: boolean;
  /**
   * The JSON of a decoded response.
   *
   * @throws {MessageError} when it has no JSON form
   */
  toJson(message: Decoded): JsonValue;
}

/** JSON that is no message of its type, or a message without a JSON form. */
export class MessageError extends BenchError {
  override readonly name = "MessageError";
}

/** Compiles the codec of a method; once for each step that calls it. */
export function compileCodec(method: UnaryMethod, library: Library): Codec {
  const { request, response } = method;
  const { protojson } = library;
  const write = compileJsonWriter(response, library);
  const missingIn = compileRequired(request, library);
  const read = (text: string): JsonValue =>
    hasLongInteger(text) || text.includes(LARGEST_FLOAT)
      ? withDigits(request, readJson(text), library)
      : JSON.parse(text);
  return {
    encode(json) {
      let message: protobuf.Message;
      try {
        message = protojson.fromJson(request, read(json));
      } catch (error) {
        throw new MessageError(explain((error as Error).message));
      }
      const missing = missingIn?.(message);
      if (missing !== undefined) {
        throw new MessageError(`the required field \`${missing}\` is missing`);
      }
      return request.encode(message).finish();
    },
    decode: (bytes) => response.decode(bytes) as unknown as Decoded,
    views: typesWithin(response, library).some(({ fieldsArray }) =>
      fieldsArray.some(({ type }) => type === "bytes")
    ),
    toJson(message) {
      try {
        return write(message);
      } catch (error) {
        const why = (error as Error).message;
        throw new MessageError(`the message has no JSON form: ${why}`);
      }
    },
  };
}

/** The library's `.shop.v1.Item.count: not an integer: 1.5`, in our words. */
function explain(said: string): string {
  const match = /^\.?([\w.]+): ([^:]*)(?:: (.*))?$/s.exec(said);
  if (!match) return said;
  const [, field, why, value] = match;
  return `\`${field}\`: ${why}${value === undefined ? "" : `: ${value}`}`;
}

/**
 * `json` with every integer beyond 2^53 in the form in which the library takes
 * it for its field: digits as a string for a number (the proto3 JSON mapping has
 * both), a double inside a `Value`, which holds nothing else. A number for a float
 * is that float.
 */
export function withDigits(
  type: protobuf.Type,
  json: JsonValue,
  library: Library,
): JsonValue {
  return new Digits(library).message(type, json);
}

class Digits {
  constructor(readonly library: Library) {}

  message(type: protobuf.Type, json: JsonValue): JsonValue {
    if (DOUBLES.test(type.fullName)) return asDoubles(json);
    if (typeof json === "bigint") {
      return WRAPPERS.test(type.fullName) ? String(json) : json;
    }
    if (type.fullName === ".google.protobuf.FloatValue") return asFloat(json);
    if (!isObject(json)) return json;
    if (type.fullName === ".google.protobuf.Any") return this.#any(type, json);
    return mapValues(json, (value, key) => {
      const field = fieldOf(type, key);
      return field ? this.#field(field, value) : value;
    });
  }

  /** A message of its own type, whose fields are beside `@type`. */
  #any({ root }: protobuf.Type, json: JsonObject): JsonValue {
    const name = String(json["@type"]).replace(/^.*\//, "");
    const found = root.lookup(name, [this.library.protobuf.Type]);
    if (!found) return json;
    const type = found as protobuf.Type;
    return SPECIAL.test(type.fullName)
      ? mapValues(
        json,
        (value, key) => key === "value" ? this.message(type, value) : value,
      )
      : this.message(type, json);
  }

  #field(field: protobuf.Field, value: JsonValue): JsonValue {
    field.resolve();
    const single = (each: JsonValue) => this.#single(field, each);
    if (field.map) return isObject(value) ? mapValues(value, single) : value;
    if (field.repeated) return Array.isArray(value) ? value.map(single) : value;
    return single(value);
  }

  #single({ resolvedType, type }: protobuf.Field, value: JsonValue): JsonValue {
    if (resolvedType instanceof this.library.protobuf.Type) {
      return this.message(resolvedType, value);
    }
    if (typeof value === "bigint" && NUMBERS.test(type)) return String(value);
    return type === "float" ? asFloat(value) : value;
  }
}

/** The float that a number is rounded to; what is larger than any float stays. */
function asFloat(value: JsonValue): JsonValue {
  if (typeof value !== "number") return value;
  const float = Math.fround(value);
  return Number.isFinite(float) ? float : value;
}

const DOUBLES = /^\.google\.protobuf\.(?:Value|ListValue|Struct)$/;
const WRAPPERS = /^\.google\.protobuf\.(?:Double|Float|U?Int64|U?Int32)Value$/;
const NUMBERS = /^(?:double|float|[us]?int(?:32|64)|s?fixed(?:32|64))$/;

function asDoubles(json: JsonValue): JsonValue {
  if (typeof json === "bigint") return Number(json);
  if (Array.isArray(json)) return json.map(asDoubles);
  return isObject(json) ? mapValues(json, asDoubles) : json;
}

function mapValues(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue,
): JsonObject {
  // fromEntries defines `__proto__` as a key like any other.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}
