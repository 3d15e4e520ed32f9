import type protobuf from "protobufjs";
import { didYouMean } from "../../../base/text/suggest.ts";
import {
  child,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../base/values/json.ts";
import {
  fieldOf,
  jsonNameOf,
  nameOf,
  SPECIAL,
  writtenNameOf,
} from "./json_writer.ts";
import {
  describeField,
  describeKey,
  describeValue,
  exampleOf,
  missingFields,
  whatOf,
} from "./field_words.ts";
import { withDigits } from "./digits.ts";
import { declaredIn, type Library } from "./library.ts";
import type { Diagnostic, IrLocation } from "../../../base/text/diagnostic.ts";

/** How much of a string is a template: its value is known only later. */
export type Templated = (text: string) => "none" | "part" | "whole";

/**
 * Checks JSON with templates in it against a message type: fields that do not
 * exist, and values of the wrong type where no template is in the way.
 */
export function checkMessage(
  type: protobuf.Type,
  json: JsonValue,
  library: Library,
  templated: Templated,
): readonly Diagnostic<IrLocation>[] {
  const check = new Check(library, templated);
  check.message(type, json, "");
  return check.errors;
}

/** The places of `string` fields, by JSON Pointer, whose whole value is a template. */
export function templatesOfStrings(
  type: protobuf.Type,
  json: JsonValue,
  library: Library,
  templated: Templated,
): ReadonlySet<string> {
  const check = new Check(library, templated);
  check.message(type, json, "");
  return check.strings;
}

class Check {
  readonly errors: Diagnostic<IrLocation>[] = [];
  readonly strings = new Set<string>();

  constructor(readonly library: Library, readonly templated: Templated) {}

  message(type: protobuf.Type, json: JsonValue, pointer: string): void {
    if (type.fullName === ".google.protobuf.Any" && isObject(json)) {
      const inner = this.#inAny(type, json, pointer);
      if (inner) this.message(inner.type, inner.json, inner.pointer);
      return;
    }
    if (SPECIAL.test(type.fullName)) {
      this.#wellKnown(type, json, pointer);
      return;
    }
    if (!isObject(json)) {
      this.#wrong(pointer, `a \`${nameOf(type)}\` must be a mapping`, json);
      return;
    }
    const seen = new Map<protobuf.Field, string>();
    const given = new Set<protobuf.Field>();
    const chosen = new Map<protobuf.OneOf, string>();
    for (const [key, value] of Object.entries(json)) {
      const field = fieldOf(type, key);
      if (!field) {
        this.#unknown(type, key, pointer);
        continue;
      }
      const twin = seen.get(field);
      seen.set(field, key);
      if (twin !== undefined) {
        const same = `\`${twin}\` and \`${key}\` are the same field`;
        this.#clash(pointer, key, same);
      }
      if (value === null && !takesNull(field)) continue;
      const rival = field.partOf ? chosen.get(field.partOf) : undefined;
      if (field.partOf) chosen.set(field.partOf, key);
      if (rival !== undefined && rival !== twin) {
        this.#clash(
          pointer,
          key,
          `\`${rival}\` and \`${key}\` exclude each other: both are in the oneof \`${
            field.partOf!.name
          }\``,
        );
      }
      given.add(field);
      this.#field(field, key, value, child(pointer, key));
    }
    this.errors.push(...missingFields(type, given, pointer, this.library));
  }

  #field(
    field: protobuf.Field,
    key: string,
    value: JsonValue,
    pointer: string,
  ): void {
    field.resolve();
    if (field.map) {
      if (this.#isLate(value)) return;
      if (!isObject(value)) {
        this.#wrong(pointer, `\`${key}\` must be a mapping`, value);
        return;
      }
      for (const [name, item] of Object.entries(value)) {
        this.#single(field, key, item, child(pointer, name), name);
      }
    } else if (field.repeated) {
      if (this.#isLate(value)) return;
      if (!Array.isArray(value)) {
        this.#wrong(pointer, `\`${key}\` must be a list`, value);
        return;
      }
      value.forEach((item, index) =>
        this.#single(field, key, item, child(pointer, index))
      );
    } else this.#single(field, key, value, pointer);
  }

  /** @param name the key of a map's entry */
  #single(
    field: protobuf.Field,
    key: string,
    value: JsonValue,
    pointer: string,
    name = "",
  ): void {
    const { resolvedType } = field;
    if (this.#isLate(value)) {
      const type = resolvedType?.fullName ?? field.type;
      if (STRINGS.test(type)) this.strings.add(pointer);
      return;
    }
    if (resolvedType instanceof this.library.protobuf.Type) {
      this.message(resolvedType, value, pointer);
      return;
    }
    // The text around a template is known, and that the whole is a string.
    if (typeof value === "string" && this.templated(value) === "part") {
      if (field.type !== "bool") return;
    }
    const shape = field.map
      ? { [name]: value }
      : field.repeated
      ? [value]
      : value;
    try {
      const owner = field.parent as protobuf.Type;
      const whole = { [jsonNameOf(field)]: shape };
      const { library } = this;
      library.protojson.fromJson(owner, withDigits(owner, whole, library));
    } catch (error) {
      const said = (error as Error).message;
      if (/map key/.test(said)) {
        this.#clash(
          pointer.slice(0, pointer.lastIndexOf("/")),
          name,
          `each key of \`${key}\` must be ${
            describeKey(field)
          }, but it is "${name}"`,
        );
        return;
      }
      const names = resolvedType instanceof this.library.protobuf.Enum
        ? Object.keys(resolvedType.values)
        : [];
      this.#wrong(
        pointer,
        `${whatOf(field, key)} must be ${describeField(field, this.library)}`,
        value,
        typeof value === "string" ? didYouMean(value, names) : undefined,
        /out of range/.test(said),
      );
    }
  }

  /** The message in an `Any`, whose fields are beside `@type`; undefined when it is not known. */
  #inAny(any: protobuf.Type, json: JsonObject, pointer: string) {
    const { "@type": url, ...fields } = json;
    // Without a type the library drops the fields.
    if (typeof url !== "string" || url === "") {
      const { what, hint } = exampleOf(any.name);
      if (Object.keys(json).length > 0) {
        this.#wrong(
          pointer,
          `a \`${nameOf(any)}\` must be ${what}`,
          json,
          hint,
        );
      }
      return undefined;
    }
    if (this.templated(url) !== "none") return undefined;
    const { library } = this;
    const name = url.slice(url.lastIndexOf("/") + 1);
    const found = any.root.lookup(name, [library.protobuf.Type]);
    if (!found) {
      const names = [...declaredIn(any.root, library)]
        .filter((each) => each instanceof library.protobuf.Type)
        .map(nameOf);
      this.errors.push({
        at: child(pointer, "@type"),
        code: "unknown-type",
        message: `the schema has no message \`${name}\``,
        hint: didYouMean(name, names) ??
          "its file is the one under `proto`, or one that it imports",
      });
      return undefined;
    }
    const type = found as protobuf.Type;
    if (!SPECIAL.test(type.fullName)) return { type, json: fields, pointer };
    if (Object.hasOwn(fields, "value")) {
      const inner = child(pointer, "value");
      return { type, json: fields.value!, pointer: inner };
    }
    this.errors.push({
      at: pointer,
      code: "missing-field",
      message: `an \`Any\` that holds a \`${
        nameOf(type)
      }\` has it under \`value\``,
    });
    return undefined;
  }

  /** Types with a JSON form of their own, such as a time as a string. */
  #wellKnown(type: protobuf.Type, json: JsonValue, pointer: string): void {
    if (this.#hasTemplate(json)) return;
    try {
      const { library } = this;
      library.protojson.fromJson(type, withDigits(type, json, library));
    } catch {
      const { what, hint } = exampleOf(type.name);
      this.#wrong(pointer, `a \`${nameOf(type)}\` must be ${what}`, json, hint);
    }
  }

  #isLate(value: JsonValue): boolean {
    return typeof value === "string" && this.templated(value) === "whole";
  }

  #hasTemplate(json: JsonValue): boolean {
    if (typeof json === "string") return this.templated(json) !== "none";
    if (typeof json !== "object" || json === null) return false;
    return Object.values(json).some((each) => this.#hasTemplate(each));
  }

  #unknown(type: protobuf.Type, key: string, pointer: string): void {
    const names = type.fieldsArray.map(writtenNameOf);
    // An `optional` field is in a oneof of its own, which no schema writes.
    const oneof = type.oneofsArray.find(({ name, isProto3Optional }) =>
      name === key && !isProto3Optional
    )?.fieldsArray.map(writtenNameOf);
    this.errors.push({
      at: { pointer: child(pointer, key), key },
      code: "unknown-field",
      message: `\`${nameOf(type)}\` has no field \`${key}\``,
      hint: oneof
        ? `it is a oneof, and has no name in a message: write one of ${
          oneof.join(", ")
        }`
        : didYouMean(key, names) ??
          (names.length > 0
            ? `its fields: ${names.join(", ")}`
            : "it has no fields at all"),
    });
  }

  #clash(pointer: string, key: string, message: string): void {
    this.errors.push({
      at: { pointer: child(pointer, key), key },
      code: "field-clash",
      message,
    });
  }

  #wrong(
    at: string,
    expected: string,
    value: JsonValue,
    hint?: string,
    outOfRange = false,
  ): void {
    const why = outOfRange ? ": it is out of range" : "";
    this.errors.push({
      at,
      code: outOfRange ? "out-of-range" : "wrong-type",
      message: `${expected}, but it is ${describeValue(value)}${why}`,
      hint,
    });
  }
}

const STRINGS = /^(?:string|\.google\.protobuf\.StringValue)$/;

/** For all other fields null means that the field is left out. */
function takesNull({ type }: protobuf.Field): boolean {
  return /(?:^|\.)(?:Value|NullValue)$/.test(type);
}
