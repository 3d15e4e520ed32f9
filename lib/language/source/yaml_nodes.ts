import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  type Scalar,
  type YAMLMap,
} from "yaml";
import type { Span } from "../../base/text/span.ts";
import type { Entry, MapNode, Node, ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";
import { Anchors } from "./yaml_anchors.ts";
import { wellFormed } from "./json_scalar.ts";
import { scalarValue } from "./yaml_scalar.ts";

/** Mappings and lists may lie this deep in one another. */
export const MAX_NESTING = 64;

/**
 * Turns a document without syntax errors into nodes with places. Returns
 * undefined when parts are missing: an alias of nothing, too many levels.
 */
export function convertDocument(
  document: Document,
  source: string,
  lines: LineCounter,
  reader: Reader,
): Node | undefined {
  const conversion = new Conversion(source, lines, reader);
  const root = conversion.convert(document.contents, 0);
  return conversion.failed ? undefined : root;
}

/** Reports that `span` opens one level too many. */
export function reportTooDeep(span: Span, reader: Reader): void {
  reader.report(
    span,
    "nesting-too-deep",
    `mappings and lists are nested more than ${MAX_NESTING} levels deep`,
  );
}

/** What the library calls a node; it is loose about `contents` and keys. */
type YamlNode = unknown;

/** One pass over a document; remembers its anchors. */
class Conversion {
  readonly #anchors: Anchors;
  #tooDeep = false;

  constructor(
    readonly source: string,
    readonly lines: LineCounter,
    readonly reader: Reader,
  ) {
    this.#anchors = new Anchors(reader);
  }

  /** The nodes are not the whole document. */
  get failed(): boolean {
    return this.#tooDeep || this.#anchors.failed;
  }

  convert(node: YamlNode, depth: number, keySpan?: Span): Node | undefined {
    if (isAlias(node)) {
      return this.#anchors.resolve(node.source, this.#span(node.range));
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) {
      return keySpan && nothing(keySpan);
    }
    const anchor = node.anchor;
    if (anchor) this.#anchors.open(anchor);
    this.#refuseTag(node);
    let result: Node | undefined;
    if (isScalar(node)) result = this.#scalar(node, keySpan);
    else if (depth >= MAX_NESTING) {
      if (!this.#tooDeep) {
        reportTooDeep({ ...this.#span(node.range), length: 1 }, this.reader);
      }
      this.#tooDeep = true;
    } else if (isMap(node)) result = this.#mapping(node, depth);
    else {
      const items = node.items.flatMap((item) =>
        this.convert(item, depth + 1) ?? []
      );
      result = { kind: "list", items, span: this.#span(node.range) };
    }
    if (result) this.#anchors.weigh(result);
    if (anchor && result) this.#anchors.close(anchor, result);
    return result;
  }

  #scalar(node: Scalar, keySpan: Span | undefined): ScalarNode {
    const plain = node.type === "PLAIN" || node.type === undefined;
    const empty = node.range ? node.range[1] <= node.range[0] : true;
    // A value that is not there is shown at its key.
    const span = empty && keySpan ? keySpan : this.#span(node.range);
    return {
      kind: "scalar",
      value: scalarValue(node, span, this.reader),
      text: (node.source ?? String(node.value ?? "")).toWellFormed(),
      plain,
      span,
    };
  }

  #mapping(node: YAMLMap, depth: number): MapNode {
    const span = this.#span(node.range);
    const template = this.#unquotedTemplate(node);
    if (template !== undefined) {
      return { kind: "map", entries: [], unquotedTemplate: template, span };
    }
    const entries: Entry[] = [];
    const lines = new Map<string, number>();
    for (const pair of node.items) {
      const key = this.#key(pair);
      if (!key) continue;
      const value = this.convert(pair.value, depth + 1, key.span) ??
        nothing(key.span);
      const first = lines.get(key.text);
      if (first !== undefined) {
        this.reader.report(
          key.span,
          "duplicate-key",
          `the key \`${key.text}\` is repeated`,
          `the first one is on line ${first}`,
        );
        continue;
      }
      lines.set(key.text, key.span.line);
      entries.push({ key: key.text, keySpan: key.span, value });
    }
    return { kind: "map", entries, span };
  }

  #key({ key }: Pair): { text: string; span: Span } | undefined {
    if (!isScalar(key)) {
      const range = (key as { range?: Range } | null)?.range;
      const span = this.#span(range);
      const template = isMap(key) && this.#wrapped(range);
      this.reader.report(
        span,
        "key-not-string",
        template
          ? "a key cannot be a template"
          : "a key must be a string, but this one is a list, a mapping or an alias",
      );
      return;
    }
    const span = this.#span(key.range);
    const text = wellFormed(key.source ?? "", span, this.reader);
    if (text === "<<") {
      this.reader.report(
        span,
        "merge-key",
        "YAML merge keys (`<<`) are not supported",
        "write the keys out, or use an alias for the whole mapping",
      );
      return;
    }
    if (typeof key.value !== "string") {
      const [shown, hint] = text === ""
        ? ["a key is missing before the `:`", undefined]
        : [
          `a key must be a string, but \`${text}\` is ${
            key.value === null ? "null" : `a ${typeof key.value}`
          } to YAML`,
          `quote it: "${text}"`,
        ];
      this.reader.report(span, "key-not-string", shown, hint);
    }
    return { text, span };
  }

  #refuseTag(node: { tag?: string; range?: Range | null }): void {
    if (!node.tag || !node.range) return;
    const at = this.source.lastIndexOf("!", node.range[0]);
    const tag = /^!*(?:<[^>]*>|[^\s,[\]{}]*)/.exec(
      this.source.slice(this.source[at - 1] === "!" ? at - 1 : at),
    )?.[0] ?? "!";
    const start = this.source[at - 1] === "!" ? at - 1 : at;
    this.reader.report(
      this.#span([start, start + tag.length, 0]),
      "yaml-tag",
      `YAML tags such as \`${tag}\` are not supported`,
      tag === "!!str" ? "quote the value to make it a string" : undefined,
    );
  }

  /** `{{ name }}` without quotes: a flow mapping inside a flow mapping. */
  #unquotedTemplate(node: YAMLMap): string | undefined {
    const [pair, ...rest] = node.items;
    if (!node.flow || !isMap(pair?.key) || rest.length > 0) return;
    return this.#wrapped(node.range);
  }

  #wrapped(range: Range | null | undefined): string | undefined {
    const text = range ? this.source.slice(range[0], range[1]) : "";
    return /^\{\{.*\}\}$/s.test(text)
      ? text.replaceAll(/\s+/g, " ")
      : undefined;
  }

  /** A range as a span, cut at the end of its first line. */
  #span(range: Range | null | undefined): Span {
    if (!range) return { line: 1, column: 1, length: 1 };
    const [start, end] = range;
    const { line, col } = this.lines.linePos(start);
    const text = this.source.slice(start, end);
    const first = /^[^\r\n]*/.exec(text)![0].trimEnd();
    return { line, column: col, length: Math.max(1, first.length) };
  }
}

type Range = readonly [number, number, number];

function nothing(span: Span): ScalarNode {
  return { kind: "scalar", value: null, text: "", plain: true, span };
}
