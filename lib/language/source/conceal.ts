import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
} from "yaml";
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

/** A part of a text by its offsets; the end is not in it. */
export type Range = readonly [from: number, to: number];

/** Stands for each UTF-16 unit of what is hidden; YAML gives it no meaning. */
const DOT = "•";

/** Templates, what is left of broken ones but no more, and the word a scheme writes itself. */
const SHOWN =
  /\{\{\s*[a-z_](?:[\w.-]|\[(?:'[^'{}]*'|\\?"[^"{}]*")\])*\s*\}\}|\{\{\s*(?:env\.\w*\s*)?\}?|\}\}|^(?:Bearer|Basic)\s+(?=\S)/gi;

/**
 * `text` with dots in the place of what `ranges` hold; templates and line
 * breaks in there stay, so every line and column is where it was.
 */
export function conceal(text: string, ranges: readonly Range[]): string {
  let result = "";
  let at = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= at) {
      result += text.slice(at, from) + dotted(text.slice(from, to));
      at = Math.max(at, Math.min(to, text.length));
      continue;
    }
    // Dots are as long as what they hide: what overlaps is hidden once more.
    const end = Math.max(at, Math.min(to, text.length));
    const both = result.slice(from) + text.slice(at, end);
    result = result.slice(0, from) + dotted(both.slice(0, to - from)) +
      both.slice(to - from);
    at = end;
  }
  return result + text.slice(at);
}

function dotted(part: string): string {
  let result = "";
  let at = 0;
  for (const [from, to] of literalParts(part)) {
    result += part.slice(at, from) + part.slice(from, to).replaceAll(
      /\S(?:[^\r\n]*\S)?/g,
      (each) => DOT.repeat(each.length),
    );
    at = to;
  }
  return result + part.slice(at);
}

/** What is between the templates of a text. */
export function literalParts(text: string): Range[] {
  const found: Range[] = [];
  let at = 0;
  for (const { 0: shown, index } of text.matchAll(SHOWN)) {
    if (index > at) found.push([at, index]);
    at = index + shown.length;
  }
  if (at < text.length) found.push([at, text.length]);
  return found;
}

/**
 * YAML as far as it can be read, to look for what is hidden; undefined when it
 * is nested too deep for the library.
 */
export function parseLeniently(text: string): Document | undefined {
  return parsedDocument(text, { logLevel: "silent" });
}

/** Where `document`, read from `source`, says what `hiding` hides. */
export function hiddenRanges(
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
