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
import type { Wording } from "../../base/text/diagnostic.ts";
import { type SourceLocation, START } from "../../base/text/location.ts";
import type { Hiding } from "./hidden.ts";
import { jsonNumber, wellFormed } from "./json_scalar.ts";
import {
  describe,
  type Entry,
  type MapNode,
  type Node,
  type ScalarNode,
} from "./node.ts";
import type { Reader } from "./reader.ts";

/** A file may refer to its anchors this often. */
const MAX_ALIASES = 100;
/** Values that aliases may add up to; stops lists that double at each level. */
const MAX_ALIASED_VALUES = 100_000;

/** The anchors of a document, as they are defined from top to bottom. */
class Anchors {
  /** Undefined while the anchored value itself is being read. */
  readonly #defined = new Map<string, Node | undefined>();
  /** Values in each node, those behind aliases counted each time. */
  readonly #weights = new WeakMap<Node, number>();
  #aliases = 0;
  #aliasedValues = 0;
  /** Some alias stands for nothing, so that the document has a hole. */
  failed = false;

  constructor(readonly reader: Reader) {}

  /** `&name` opens a value, which cannot hold itself. */
  open(name: string): void {
    this.#defined.set(name, undefined);
  }

  /** The value of `&name` is read. */
  close(name: string, node: Node): void {
    this.#defined.set(name, node);
  }

  /** Notes how much a node holds; its parts were weighed before. */
  weigh(node: Node): void {
    const parts = node.kind === "list"
      ? node.items
      : node.kind === "map"
      ? node.entries.map(({ value }) => value)
      : [];
    const weight = parts.reduce(
      (sum, each) => sum + (this.#weights.get(each) ?? 1),
      1,
    );
    this.#weights.set(node, weight);
  }

  /** The value `*name` stands for; reports one that cannot be had. */
  resolve(name: string, at: SourceLocation): Node | undefined {
    const node = this.#defined.get(name);
    this.#aliases++;
    this.#aliasedValues += (node && this.#weights.get(node)) ?? 1;
    const code = node ? "too-many-aliases" : "undefined-alias";
    const wording = node ? this.#excess() : this.#undefined(name);
    if (!wording) return node && this.#used(node, at);
    // One alias too many is reported once; each undefined one is its own error.
    if (!this.failed || !node) this.reader.report({ at, code, ...wording });
    this.failed = true;
  }

  #used(node: Node, usedAt: SourceLocation): Node {
    const used = { ...node, usedAt };
    this.#weights.set(used, this.#weights.get(node) ?? 1);
    return used;
  }

  #excess(): Wording | undefined {
    if (this.#aliases > MAX_ALIASES) {
      return { message: `a file may have at most ${MAX_ALIASES} aliases` };
    }
    if (this.#aliasedValues <= MAX_ALIASED_VALUES) return;
    const message =
      `the aliases up to here expand to more than ${MAX_ALIASED_VALUES} values`;
    return { message };
  }

  #undefined(name: string): Wording {
    const refers = `\`*${name}\` refers to`;
    return this.#defined.has(name)
      ? { message: `${refers} the value it is in` }
      : {
        message: `${refers} \`&${name}\`, which is not defined above`,
        hint: "to start a value with *, quote it",
      };
  }
}

/** Mappings and lists may be this deep in one another. */
export const MAX_NESTING = 64;

/**
 * Turns a document without syntax errors into nodes with locations. Returns
 * undefined when parts are missing: an alias of nothing, too many levels.
 */
export function convertDocument(
  document: Document,
  source: string,
  lines: LineCounter,
  reader: Reader,
  hiding: Hiding,
): Node | undefined {
  const conversion = new Conversion(source, lines, reader);
  const root = conversion.convert(document.contents, 0);
  reader.hide(() => root, hiding);
  return conversion.failed ? undefined : root;
}

/** Reports that `at` opens one level too many. */
export function reportTooDeep(at: SourceLocation, reader: Reader): void {
  reader.report({
    at,
    code: "nesting-too-deep",
    message:
      `mappings and lists are nested more than ${MAX_NESTING} levels deep`,
  });
}

/** A node of the library, which is loose about `contents` and keys. */
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

  convert(
    node: YamlNode,
    depth: number,
    keyAt?: SourceLocation,
  ): Node | undefined {
    if (isAlias(node)) {
      return this.#anchors.resolve(node.source, this.#at(node.range));
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) {
      return keyAt && nothing(keyAt);
    }
    const anchor = node.anchor;
    if (anchor) this.#anchors.open(anchor);
    this.#refuseTag(node);
    let result: Node | undefined;
    if (isScalar(node)) result = this.#scalar(node, keyAt);
    else if (depth >= MAX_NESTING) {
      if (!this.#tooDeep) {
        reportTooDeep(this.#at(node.range, 1), this.reader);
      }
      this.#tooDeep = true;
    } else if (isMap(node)) result = this.#mapping(node, depth);
    else {
      const items = node.items.flatMap((item) =>
        this.convert(item, depth + 1) ?? []
      );
      result = { kind: "list", items, at: this.#at(node.range) };
    }
    if (result) this.#anchors.weigh(result);
    if (anchor && result) this.#anchors.close(anchor, result);
    return result;
  }

  #scalar(node: Scalar, keyAt: SourceLocation | undefined): ScalarNode {
    const plain = node.type === "PLAIN" || node.type === undefined;
    const empty = node.range ? node.range[1] <= node.range[0] : true;
    // A value that is not there is shown at its key.
    const at = empty && keyAt ? keyAt : this.#at(node.range);
    return {
      kind: "scalar",
      value: this.#valueOf(node, at),
      text: (node.source ?? String(node.value ?? "")).toWellFormed(),
      plain,
      at,
    };
  }

  /** As JSON has it. */
  #valueOf(
    { value, source = "" }: Scalar,
    at: SourceLocation,
  ): ScalarNode["value"] {
    if (typeof value === "number") {
      return jsonNumber(value, source, at, this.reader);
    }
    if (value === null || typeof value === "boolean") return value;
    return wellFormed(String(value), at, this.reader);
  }

  #mapping(node: YAMLMap, depth: number): MapNode {
    const at = this.#at(node.range);
    const template = this.#unquotedTemplate(node);
    if (template !== undefined) {
      return { kind: "map", entries: [], unquotedTemplate: template, at };
    }
    const entries: Entry[] = [];
    const merged: Entry[] = [];
    const dropped: Entry[] = [];
    const lines = new Map<string, number>();
    const cut = this.#cutValues(node);
    for (const pair of node.items) {
      if (cut.has(pair)) continue;
      const key = this.#key(pair);
      const found = this.convert(pair.value, depth + 1, key?.at);
      if (!key) {
        if (found) dropped.push({ key: "", keyAt: found.at, value: found });
        continue;
      }
      // An alias of nothing was reported as one.
      if (!found && key.merges) continue;
      const value = found ?? nothing(key.at);
      // A quoted `<<` is a key like any other.
      const name = key.merges ? "\0<<" : key.text;
      const first = lines.get(name);
      if (first !== undefined) {
        this.reader.report({
          at: key.at,
          code: "duplicate-key",
          message: `the key \`${key.text}\` is repeated`,
          hint: `the first one is on line ${first}`,
        });
        dropped.push({ key: key.text, keyAt: key.at, value });
        continue;
      }
      lines.set(name, key.at.range!.line);
      if (key.merges) merged.push(...this.#merged(value, key.at));
      else entries.push({ key: key.text, keyAt: key.at, value });
    }
    const own = new Set(entries.map((each) => each.key));
    const others = merged.filter((each) => !own.has(each.key));
    return { kind: "map", entries: [...others, ...entries], dropped, at };
  }

  /** Keys that are the rest of an unquoted value inside { }, behind its comma: `{ url: /a?x=1,2 }`. */
  #cutValues({ flow, items }: YAMLMap): ReadonlySet<Pair> {
    const cut = new Set<Pair>();
    for (const [index, pair] of flow ? items.entries() : []) {
      const before = items[index - 1];
      const { key, value } = pair;
      if (!before || value || !isScalar(key) || key.type !== "PLAIN") continue;
      const isMore = cut.has(before);
      const text = isMore ? before.key : before.value;
      if (!isScalar(text) || text.type !== "PLAIN") continue;
      // Of `token:abc` it is the space that is missing.
      if (/^[A-Za-z_][\w-]*:/.test(key.source ?? "")) continue;
      const comma = this.source.lastIndexOf(",", key.range![0]);
      const isGlued = key.range![0] === comma + 1;
      const isName = /^[A-Za-z_][\w-]*$/.test(key.source ?? "");
      if (isName && !(isGlued && (isMore || text.source?.includes("=")))) {
        continue;
      }
      cut.add(pair);
      if (isMore) continue;
      this.reader.report({
        at: this.#at([comma, comma + 1, 0]),
        code: "unquoted-comma",
        message: "inside { } an unquoted value ends at a `,`",
        hint: "quote the value if the comma belongs to it",
      });
    }
    return cut;
  }

  /**
   * The entries that `<<` merges, as readers of YAML 1.1 do it: the keys of a mapping,
   * or of a list of them, of which the first to have a key wins.
   */
  #merged(value: Node, at: SourceLocation): Entry[] {
    const found = new Map<string, Entry>();
    for (const each of value.kind === "list" ? value.items : [value]) {
      if (each.kind !== "map" || each.unquotedTemplate) {
        this.reader.report({
          at,
          code: "merge-key",
          message: `\`<<\` takes a mapping or a list of mappings, but this is ${
            describe(each)
          }`,
          hint: 'for a key of this name, quote it: "<<"',
        });
        continue;
      }
      for (const entry of each.entries) {
        if (!found.has(entry.key)) found.set(entry.key, entry);
      }
    }
    return [...found.values()];
  }

  #key(
    { key }: Pair,
  ): { text: string; at: SourceLocation; merges: boolean } | undefined {
    if (!isScalar(key)) {
      const range = (key as { range?: Range } | null)?.range;
      const message = isMap(key) && this.#wrapped(range)
        ? "a key cannot be a template"
        : "a key must be a string, but this one is a list, a mapping or an alias";
      const at = this.#at(range);
      this.reader.report({ at, code: "key-not-string", message });
      return;
    }
    const at = this.#at(key.range);
    const text = wellFormed(key.source ?? "", at, this.reader);
    if (typeof key.value !== "string") {
      const type = key.value === null ? "null" : `a ${typeof key.value}`;
      const wording = text === ""
        ? { message: "a key is missing before the `:`" }
        : {
          message: `a key must be a string, but \`${text}\` is ${type} to YAML`,
          hint: `quote it: "${text}"`,
        };
      this.reader.report({ at, code: "key-not-string", ...wording });
    }
    return { text, at, merges: text === "<<" && key.type === "PLAIN" };
  }

  #refuseTag(node: { tag?: string; range?: Range | null }): void {
    if (!node.tag || !node.range) return;
    const at = this.source.lastIndexOf("!", node.range[0]);
    const start = this.source[at - 1] === "!" ? at - 1 : at;
    const [tag] = /^!*(?:<[^>]*>|[^\s,[\]{}]*)/.exec(this.source.slice(start))!;
    this.reader.report({
      at: this.#at([start, start + tag.length, 0]),
      code: "yaml-tag",
      message: `YAML tags such as \`${tag}\` are not supported`,
      hint: tag === "!!str" ? "quote the value to make it a string" : undefined,
    });
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

  /** A range as a location, cut at the end of its first line. */
  #at(range: Range | null | undefined, most = Infinity): SourceLocation {
    if (!range) return this.reader.at(START);
    const [start, end] = range;
    const { line, col } = this.lines.linePos(start);
    const text = this.source.slice(start, end);
    const first = /^[^\r\n]*/.exec(text)![0].trimEnd();
    const length = Math.min(most, Math.max(1, first.length));
    return this.reader.at({ line, column: col, length });
  }
}

type Range = readonly [number, number, number];

function nothing(at: SourceLocation): ScalarNode {
  return { kind: "scalar", value: null, text: "", plain: true, at };
}
