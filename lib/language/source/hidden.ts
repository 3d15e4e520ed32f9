import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
} from "yaml";
import { conceal, type Range } from "./conceal.ts";
import { parsedDocument } from "./parse_document.ts";

/** What a file may say only by accident, and must not be shown in its messages. */
export interface Hiding {
  /**
   * Whether what is at `path` is hidden; list items are `*` in a path.
   *
   * @param scalar its text, when it is a scalar
   */
  at(path: readonly string[], scalar: string | undefined): boolean;
  /** The same of one key, where the text is no YAML and has no paths. */
  key(key: string): boolean;
  /** Parts that are hidden in every other scalar. */
  inside?(scalar: string): readonly Range[];
  /** The key under which such keys are looked for; anywhere when absent. */
  readonly below?: string;
}

/**
 * Where a text says what `hiding` hides: as the YAML it is, and line by line
 * where it is none.
 *
 * @param document what the library reads of it
 */
export function hiddenIn(
  text: string,
  hiding: Hiding,
  document: Document | undefined = parsedDocument(text),
): Range[] {
  const found = document ? hiddenRanges(document, text, hiding) : [];
  return document?.errors.length === 0
    ? found
    : [...found, ...hiddenLines(text, hiding)];
}

/**
 * IR JSON as its errors may show it: as valid or invalid as it was, with dots
 * in hidden strings and nines in hidden numbers. JSON is YAML enough for the
 * library to find them, whole or broken.
 */
export function concealJson(text: string, hiding: Hiding): string {
  const ranges = hiddenIn(text, hiding);
  const quoted = ([from]: Range) => text[from - 1] === '"';
  let result = conceal(text, ranges.filter(quoted));
  for (const [from, to] of ranges.filter((range) => !quoted(range))) {
    const nines = result.slice(from, to).replaceAll(/\d/g, "9");
    result = result.slice(0, from) + nines + result.slice(to);
  }
  return result;
}

/** Where `document`, read from `source`, says what `hiding` hides. */
function hiddenRanges(
  document: Document,
  source: string,
  hiding: Hiding,
): Range[] {
  const found: Range[] = [];
  /** An alias may come again and again. */
  const resolved = new Set<unknown>();
  walk(document.contents, [], false);
  return found;

  function walk(node: unknown, path: readonly string[], hidden: boolean): void {
    // Deeper files are refused for their depth.
    if (path.length > 64) return;
    const scalar = isScalar(node) ? node.source ?? "" : undefined;
    const hides = hidden || hiding.at(path, scalar);
    if (isAlias(node)) {
      const anchored = hides && node.resolve(document);
      if (!anchored || resolved.has(anchored)) return;
      resolved.add(anchored);
      walk(anchored, path, true);
    } else if (isScalar(node)) {
      const [from, to] = inner(source, node.range);
      if (hides && node.value !== null) found.push([from, to]);
      else if (hiding.inside) {
        const parts = hiding.inside(source.slice(from, to));
        found.push(...parts.map(([a, b]) => [from + a, from + b] as const));
      }
    } else if (isSeq(node)) {
      for (const item of node.items) walk(item, [...path, "*"], hides);
    } else if (isMap(node) && !isTemplate(source, node.range)) {
      for (const pair of node.items) walkPair(pair, path, hides);
    }
  }

  function walkPair(pair: Pair, path: readonly string[], hidden: boolean) {
    const { key, value } = pair;
    const text = isScalar(key) ? key.source ?? "" : "";
    if (hidden) walk(key, path, true);
    walk(value, [...path, text], hidden);
    // `token:abc` is a key to YAML.
    const glued = /^([\w-]+)\s*:/.exec(text);
    if (!glued || !isScalar(key) || !key.range) return;
    if (!hiding.at([...path, glued[1]!], text)) return;
    const [from, to] = inner(source, key.range);
    found.push([from + glued[0].length, to]);
  }
}

function isTemplate(source: string, range?: NodeRange): boolean {
  return !!range && /^\{\{[^{}]*\}\}$/.test(source.slice(range[0], range[1]));
}

type NodeRange = readonly number[] | null;

/** A scalar without its quotes, or without the mark of its block. */
function inner(source: string, range?: NodeRange): Range {
  const [start = 0, end = 0] = range ?? [];
  const first = source[start];
  if (first === '"' || first === "'") {
    const closed = end > start + 1 && source[end - 1] === first;
    return [start + 1, closed ? end - 1 : end];
  }
  if (first !== "|" && first !== ">") return [start, end];
  const text = source.indexOf("\n", start);
  return text < 0 || text > end ? [end, end] : [text, end];
}

/** A key and its colon, quoted or not; the colon may be what is missing. */
const KEY =
  /(["']?)(?<key>[A-Za-z_][\w-]*)\1\s*:|(["'])(?<bare>[A-Za-z_][\w-]*)\3\s+(?=["'])/g;

/**
 * The same as `hiddenRanges`, line by line: of a text that is no YAML, the
 * library's tree may lack the very part that is hidden.
 */
function hiddenLines(source: string, hiding: Hiding): Range[] {
  const found: Range[] = [];
  /** Column of the key that hidden keys are looked for below. */
  let region = hiding.below === undefined ? -1 : Infinity;
  /** Column of a hidden key whose value is on the lines below it. */
  let open = Infinity;
  let start = 0;
  for (const line of source.split("\n")) {
    const column = line.search(/[^\s-]/);
    if (column >= 0) {
      if (column <= open) open = Infinity;
      if (hiding.below !== undefined && column <= region) region = Infinity;
      read(line, column);
    }
    start += line.length + 1;
  }
  return found;

  function read(line: string, column: number): void {
    if (column > open) {
      found.push([start + column, start + line.length]);
      return;
    }
    for (const { 0: text, groups, index } of line.matchAll(KEY)) {
      const key = groups!.key ?? groups!.bare!;
      if (key === hiding.below) region = Math.min(region, index);
      else if (index > region && hiding.key(key)) {
        const from = index + text.length;
        const value = valueOf(line, from);
        // The value, or more of it, is on the lines below.
        if (/^(?:[|>].*)?$/.test(value.trim())) open = index;
        found.push(...unquoted(value, start + from));
      }
    }
  }
}

/** What follows a key on its line: to a comment, or to where `{ }` goes on. */
function valueOf(line: string, from: number): string {
  const rest = line.slice(from).replace(/\s#.*$/, "");
  if (!/[{,][^{}]*$/.test(line.slice(0, from))) return rest;
  return /^(?:\s*(["'])(?:\\.|(?!\1).)*\1)?(?:\{\{[^{}]*\}\}|[^,}])*/.exec(
    rest,
  )![0];
}

function unquoted(value: string, at: number): Range[] {
  const [, space, quote, text] = /^(\s*)(["']?)(.*)$/s.exec(value)!;
  const from = at + space!.length + quote!.length;
  const closed = quote !== "" && text!.trimEnd().endsWith(quote!);
  const length = text!.trimEnd().length - (closed ? 1 : 0);
  return length > 0 ? [[from, from + length]] : [];
}
