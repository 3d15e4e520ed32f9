import { lineOf } from "../../base/text/lines.ts";
import type { Span } from "../../base/text/span.ts";
import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { conceal, type Hiding, literalParts } from "./conceal.ts";
import { concealPart } from "./conceal_code.ts";
import type { DocumentLocation, SourceDocument } from "./document.ts";
import { jsonNumber, wellFormed } from "./json_scalar.ts";
import type { Entry, Node, ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";
import { likely } from "./shown_text.ts";
import { MAX_NESTING, reportTooDeep } from "./yaml_nodes.ts";

/** A part of a document that no line is known of. */
const NOWHERE = { line: 0, column: 0, length: 0 };

/**
 * Turns a document into the nodes that a file of the same keys gives. Reports
 * what JSON cannot carry; undefined when it is nested too deep.
 *
 * @param hiding literals that are refused wherever they are: every node and text
 *   has dots in their place
 */
export function readDocument(
  document: SourceDocument,
  reader: Reader,
  hiding: Hiding,
): Node | undefined {
  for (const [index, { name, text = "" }] of document.files?.entries() ?? []) {
    reader.texts.set(index === 0 ? reader.file : name, text);
  }
  const conversion = new Conversion(document, reader, hiding);
  const root = conversion.convert(document.value, "", [], NOWHERE, false);
  return conversion.failed ? undefined : root;
}

/** What holds nothing. */
type Leaf = Exclude<JsonValue, readonly JsonValue[] | JsonObject>;

class Conversion {
  failed = false;

  constructor(
    readonly document: SourceDocument,
    readonly reader: Reader,
    readonly hiding: Hiding,
  ) {}

  /**
   * @param path the keys on the way; `*` for an item of a list
   * @param around where what holds the value was written
   */
  convert(
    value: JsonValue,
    pointer: string,
    path: readonly string[],
    around: Span,
    hidden: boolean,
  ): Node {
    const span = this.#spanAt(pointer, around);
    const scalar = typeof value === "object" && value !== null
      ? undefined
      : String(value);
    const hides = hidden || this.hiding.at(path, scalar);
    if (path.length > MAX_NESTING) {
      if (!this.failed) reportTooDeep(span, this.reader);
      this.failed = true;
      return { kind: "list", items: [], span };
    }
    if (Array.isArray(value)) {
      const items = value.map((item: JsonValue, index) =>
        this.convert(item, child(pointer, index), [...path, "*"], span, hides)
      );
      return { kind: "list", items, span };
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value as JsonObject).map(([key, each]) =>
        this.#entry(key, each, pointer, path, span, hides)
      );
      return { kind: "map", entries, span };
    }
    if (!hides && typeof value === "string" && likely.at(path, value)) {
      for (const [from, to] of literalParts(value)) {
        this.reader.credentials.add(value.slice(from, to));
      }
    }
    return hides && value !== null
      ? this.#hidden(value, span)
      : this.#scalar(value, pointer, span);
  }

  #entry(
    key: string,
    value: JsonValue,
    pointer: string,
    path: readonly string[],
    around: Span,
    hidden: boolean,
  ): Entry {
    const at = child(pointer, key);
    const own = this.document.key_locations?.[at];
    const keySpan = own ? this.#span(own) : this.#spanAt(at, around);
    return {
      key: wellFormed(key, keySpan, this.reader),
      keySpan,
      value: this.convert(value, at, [...path, key], around, hidden),
    };
  }

  #scalar(given: Leaf, pointer: string, span: Span): ScalarNode {
    const written = this.document.numbers?.[pointer];
    const value = written === undefined
      ? given
      : jsonNumber(Number(written), written, span, this.reader);
    const text = textOf(value);
    return {
      kind: "scalar",
      value: typeof value === "string"
        ? wellFormed(value, span, this.reader)
        : typeof value === "bigint"
        ? Number(value)
        : value,
      text: text.toWellFormed(),
      plain: false,
      span,
    };
  }

  /** Dots, in the node and where it was written. */
  #hidden(value: Leaf, span: Span): ScalarNode {
    const text = conceal(String(value), [[0, Infinity]]);
    const { file = this.reader.file } = span;
    this.reader.texts.set(file, concealPart(this.reader.textOf(span), span));
    return { kind: "scalar", value: text, text, plain: false, span };
  }

  #spanAt(pointer: string, around: Span): Span {
    const own = this.document.locations?.[pointer];
    if (own) return this.#span(own);
    if (around.line > 0) return around;
    return { ...NOWHERE, pointer };
  }

  #span([line = 0, column = 0, length = 0, index = 0]: DocumentLocation): Span {
    const files = this.document.files ?? [];
    const other = index === 0 ? undefined : files[index];
    const file = other && { file: other.name };
    if (column > 0) {
      return { ...file, line, column, length: Math.max(1, length) };
    }
    const text = lineOf(files[index]?.text ?? "", line) ?? "";
    const bare = text.trim();
    return {
      ...file,
      line,
      column: bare === "" ? 1 : text.indexOf(bare) + 1,
      length: Math.max(1, bare.length),
    };
  }
}

/** As a file would have it; no digit is written that the number may not have. */
function textOf(value: Leaf): string {
  if (value === null) return "";
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? Number(value).toExponential()
    : String(value);
}
