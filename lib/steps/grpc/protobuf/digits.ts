import type protobuf from "protobufjs";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../base/values/json.ts";
import { fieldOf, SPECIAL } from "./json_writer.ts";
import type { Library } from "./library.ts";

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
