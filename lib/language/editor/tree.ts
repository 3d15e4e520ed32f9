import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
} from "yaml";
import { parsedDocument } from "../source/parse_document.ts";

/** A value of a text that may be wrong, with its offsets. */
export type TreeNode = TreeMap | TreeList | TreeScalar;

interface Ranged {
  readonly start: number;
  /** After the value, without comments and white space. */
  readonly end: number;
}

/** A mapping. */
export interface TreeMap extends Ranged {
  readonly kind: "map";
  readonly entries: readonly TreeEntry[];
}

/** A list. */
interface TreeList extends Ranged {
  readonly kind: "list";
  readonly items: readonly TreeNode[];
}

/** A scalar; an alias is one, too, with its `*name` as text. */
interface TreeScalar extends Ranged {
  readonly kind: "scalar";
  /** Without quotes and escapes. */
  readonly text: string;
  /** Written below its key, after `|` or `>`. */
  readonly block?: true;
}

/** A key and its value. */
export interface TreeEntry {
  readonly key: string;
  readonly keyRange: Ranged;
  /** Empty, at the end of the key, where nothing is written. */
  readonly value: TreeNode;
}

/** The tree of a text as far as it can be read, and how many errors it has. */
export interface Tree {
  readonly root?: TreeNode;
  readonly errors: number;
}

/** Levels that are looked at; a file that is run has fewer. */
const DEEPEST = 100;

/** Reads YAML and forgives what is wrong with it. */
export function readTree(text: string): Tree {
  const document = parsedDocument(text);
  if (!document) return { errors: 1 };
  const { contents, errors } = document;
  const root = contents ? nodeOf(contents, 0) : undefined;
  return { ...(root && { root }), errors: errors.length };
}

function nodeOf(node: ParsedNode, depth: number): TreeNode {
  const [start, end] = node.range;
  if (depth < DEEPEST) {
    if (isMap(node)) {
      const entries = node.items.flatMap((pair) => entryOf(pair, depth));
      return { kind: "map", entries, start, end };
    }
    if (isSeq(node)) {
      const items = node.items.flatMap((item) =>
        isNode(item) ? nodeOf(item as ParsedNode, depth + 1) : []
      );
      return { kind: "list", items, start, end };
    }
  }
  const block = isScalar(node) && node.type?.startsWith("BLOCK");
  const scalar = {
    kind: "scalar",
    text: scalarText(node),
    start,
    end,
  } as const;
  return block ? { ...scalar, block } : scalar;
}

function entryOf({ key, value }: Pair, depth: number): TreeEntry[] {
  if (!isScalar(key) || !key.range) return [];
  const [start, end] = key.range;
  const nothing = { kind: "scalar", text: "", start: end, end } as const;
  return [{
    key: scalarText(key),
    keyRange: { start, end },
    value: isNode(value) ? nodeOf(value as ParsedNode, depth + 1) : nothing,
  }];
}

function scalarText(node: unknown): string {
  if (isAlias(node)) return `*${node.source}`;
  if (!isScalar(node)) return "";
  // A plain `1.10` is not the number 1.1 here.
  return node.source ?? String(node.value ?? "");
}

/** The children of a node, by key or index. */
export type TreePath = readonly (string | number)[];

/** The node at `path` below `node`; undefined when there is none. */
export function nodeAt(
  node: TreeNode | undefined,
  path: TreePath,
): TreeNode | undefined {
  let at = node;
  for (const step of path) {
    if (at?.kind === "map") at = valueOf(at, step);
    else if (at?.kind === "list") at = at.items[Number(step)];
    else return undefined;
  }
  return at;
}

/** A mapping of some entries and of keys with nothing under them. */
export function mapWith(
  keys: readonly string[],
  entries: readonly TreeEntry[] = [],
): TreeMap {
  const range = { start: 0, end: 0 };
  const value = { kind: "scalar", text: "", ...range } as const;
  const more = keys.map((key) => ({ key, keyRange: range, value }));
  return { kind: "map", entries: [...more, ...entries], ...range };
}

/** The value under a key. */
export function valueOf(
  map: TreeMap,
  key: string | number,
): TreeNode | undefined {
  return map.entries.find((each) => each.key === key)?.value;
}

/** The text of the scalar at `path`; undefined when there is none. */
export function textAt(
  node: TreeNode | undefined,
  path: TreePath,
): string | undefined {
  const found = nodeAt(node, path);
  return found?.kind === "scalar" && found.text !== "" ? found.text : undefined;
}

/** A key, or a scalar. */
export interface Found extends Ranged {
  /** Of the key's mapping, or of the scalar. */
  readonly path: TreePath;
  readonly key?: string;
  /** The scalar, or what is under the key. */
  readonly node: TreeNode;
  /** The mapping it is in. */
  readonly map?: TreeMap | undefined;
}

/** The first key or scalar of which `is` holds. */
export function findIn(
  node: TreeNode,
  is: (text: string, range: Ranged) => boolean,
  path: TreePath = [],
  map?: TreeMap,
): Found | undefined {
  if (node.kind === "scalar") {
    const { start, end } = node;
    return is(node.text, node) ? { path, node, map, start, end } : undefined;
  }
  if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) {
      const found = findIn(item, is, [...path, index]);
      if (found) return found;
    }
    return;
  }
  for (const { key, keyRange, value } of node.entries) {
    if (is(key, keyRange)) {
      return { path, key, node: value, map: node, ...keyRange };
    }
    const found = findIn(value, is, [...path, key], node);
    if (found) return found;
  }
}
