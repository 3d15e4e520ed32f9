import * as v from "valibot";
import { lineOf, type SourceLocation } from "../../base/text/location.ts";
import {
  anyJson,
  child,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import type { Hiding } from "./hidden.ts";
import { jsonNumber, wellFormed } from "./json_scalar.ts";
import type { Entry, Node, ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";
import { MAX_NESTING, reportTooDeep } from "./yaml_nodes.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * `[line]`, `[line, column, length]`, or with the index of a file at the end:
 * 1-based, in UTF-16 units. A column of 0 means the whole line.
 */
const location = v.pipe(v.array(whole), v.minLength(1), v.maxLength(4));
const byPointer = v.exactOptional(v.record(v.string(), location));

/**
 * A flow or target as a program says it: the keys of the file as plain data,
 * and beside it where each part was written, by JSON Pointer (RFC 6901) into
 * the data. A part without a location of its own has that of what holds it.
 */
export const documentSchema = v.strictObject({
  value: anyJson,
  /** The first is where locations are that name no file. */
  files: v.exactOptional(v.array(v.strictObject({
    /** As messages name it. */
    name: v.string(),
    /** For frames; without it messages name the line alone. */
    text: v.exactOptional(v.string()),
  }))),
  /** Of values. */
  locations: byPointer,
  /** Of keys. */
  key_locations: byPointer,
  /** Numbers that JSON has no form for, or another, as they were written: `NaN`, `10.0`. */
  numbers: v.exactOptional(v.record(v.string(), v.string())),
});
export type SourceDocument = v.InferOutput<typeof documentSchema>;
/** Line, column, length, index of the file. */
type DocumentLocation = v.InferOutput<typeof location>;

/**
 * Turns a document into the nodes that a file of the same keys gives. Reports
 * what JSON cannot carry; undefined when it is nested too deep.
 *
 * @param hiding literals that no diagnostic shows
 */
export function readDocument(
  document: SourceDocument,
  reader: Reader,
  hiding: Hiding,
): Node | undefined {
  // A text, be it empty, is what credentials are hidden in.
  reader.text = "";
  for (const [index, { name, text = "" }] of document.files?.entries() ?? []) {
    reader.setText(index === 0 ? reader.file : name, text);
  }
  const conversion = new Conversion(document, reader);
  const root = conversion.convert(document.value, "", 0, { file: reader.file });
  reader.hide(() => root, hiding);
  return conversion.failed ? undefined : root;
}

/** A value without parts. */
type Leaf = Exclude<JsonValue, readonly JsonValue[] | JsonObject>;

class Conversion {
  failed = false;

  constructor(
    readonly document: SourceDocument,
    readonly reader: Reader,
  ) {}

  /** @param around where what holds the value was written */
  convert(
    value: JsonValue,
    pointer: string,
    depth: number,
    around: SourceLocation,
  ): Node {
    const at = this.#locationAt(pointer, around);
    if (depth > MAX_NESTING) {
      if (!this.failed) reportTooDeep(at, this.reader);
      this.failed = true;
      return { kind: "list", items: [], at };
    }
    if (Array.isArray(value)) {
      const items = value.map((item: JsonValue, index) =>
        this.convert(item, child(pointer, index), depth + 1, at)
      );
      return { kind: "list", items, at };
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value as JsonObject).map(([key, each]) =>
        this.#entry(key, each, pointer, depth, at)
      );
      return { kind: "map", entries, at };
    }
    return this.#scalar(value, pointer, at);
  }

  #entry(
    key: string,
    value: JsonValue,
    pointer: string,
    depth: number,
    around: SourceLocation,
  ): Entry {
    const at = child(pointer, key);
    const own = this.document.key_locations?.[at];
    const keyAt = own ? this.#at(own) : this.#locationAt(at, around);
    return {
      key: wellFormed(key, keyAt, this.reader),
      keyAt,
      value: this.convert(value, at, depth + 1, around),
    };
  }

  #scalar(given: Leaf, pointer: string, at: SourceLocation): ScalarNode {
    const written = this.document.numbers?.[pointer];
    const value = written === undefined
      ? given
      : jsonNumber(Number(written), written, at, this.reader);
    const text = written ?? asWritten(value);
    return {
      kind: "scalar",
      value: typeof value === "string"
        ? wellFormed(value, at, this.reader)
        : typeof value === "bigint"
        ? jsonNumber(Number(value), text, at, this.reader)
        : value,
      text: text.toWellFormed(),
      plain: false,
      at,
    };
  }

  #locationAt(pointer: string, around: SourceLocation): SourceLocation {
    const own = this.document.locations?.[pointer];
    if (own) return this.#at(own);
    return around.range ? around : { file: this.reader.file, pointer };
  }

  #at(
    [line = 0, column = 0, length = 0, index = 0]: DocumentLocation,
  ): SourceLocation {
    const { name, text = "" } = this.document.files?.[index] ?? {};
    const file = index === 0 ? this.reader.file : name ?? this.reader.file;
    if (line === 0) return { file };
    if (column > 0) {
      return { file, range: { line, column, length: Math.max(1, length) } };
    }
    const whole = lineOf(text, line) ?? "";
    const bare = whole.trim();
    const first = bare === "" ? 1 : whole.indexOf(bare) + 1;
    const range = { line, column: first, length: Math.max(1, bare.length) };
    return { file, range };
  }
}

/** As a file would have it; no digit is written that the number may not have. */
function asWritten(value: Leaf): string {
  if (value === null) return "";
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? Number(value).toExponential()
    : String(value);
}
