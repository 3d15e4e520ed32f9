import { isIntroducer } from "./escape_cursor.ts";
import { newNode, spellingsOf, type TrieNode } from "./trie_node.ts";

const INTRODUCERS: readonly number[] = Array.from(
  { length: 128 },
  (_, unit) => unit,
).filter(isIntroducer);
const ALL_UNITS = 0x10000;
/** Shorter values hide ordinary text, and are looked for as whole runs of digits. */
export const SHORT = 4;
/** Longer than any text; an integer, since it is compared with a great many. */
const NONE_YET = 0x3fffffff;
const UTF8 = new TextEncoder();
/** Secrets with more characters together are not looked for from the middle on. */
const MOST_INSIDE = 1_000_000;

/** The secrets as one tree, with tables that say where one may begin. */
export class Trie {
  readonly root: TrieNode = newNode(0);
  /** By byte, 1 for one that a secret or the escapes in it are made of. */
  readonly likely: Uint8Array = LIKELY.slice();
  /** By two bytes, 1 for those that a secret or an escape may begin with. */
  readonly begins: Uint8Array = ESCAPE_BEGINS.slice();
  /** Characters of the shortest one that is looked for inside of runs of digits. */
  shortest = NONE_YET;
  /** Runs that are a shorter secret as a whole. */
  readonly words = new Set<string>();
  /** By `pairOf` the first two code units. */
  readonly #pairs = new Uint8Array(ALL_UNITS);
  #firsts: ReadonlySet<number> | undefined;
  #inside: Map<number, TrieNode[]> | undefined;
  #characters = 0;

  /** Adds a text that is searched for, or bytes that are not text; not empty ones. */
  add(value: string | Uint8Array): void {
    this.root.add(value);
    this.#characters += value.length;
    this.#firsts = this.#inside = undefined;
    const units = typeof value === "string"
      ? [...value].flatMap((each) => spellingsOf(each).flat())
      : value;
    for (const unit of units) this.likely[unit] = 1;
    const { length } = typeof value === "string" ? [...value] : value;
    if (typeof value === "string" && length < SHORT) this.#addWord(value);
    else this.shortest = Math.min(this.shortest, length);
  }

  #addWord(text: string): void {
    const bytes = UTF8.encode(text);
    this.words.add(bytes.toBase64({ omitPadding: true }));
    this.words.add(
      bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
    );
    this.words.add(bytes.toHex());
    this.words.add(bytes.toHex().toUpperCase());
  }

  /** Code units that a secret may begin with; to be asked before `mayBegin`. */
  get firsts(): ReadonlySet<number> {
    if (this.#firsts) return this.#firsts;
    const { units, next } = this.root;
    units.forEach((first, i) => this.#pair(first, next[i]!));
    return this.#firsts = new Set(units);
  }

  /** Whether these two code units of a text may begin a secret. */
  mayBegin(first: number, second: number): boolean {
    return this.#pairs[pairOf(first, second)] === 1;
  }

  /** Nodes inside of secrets from which a unit leads on. */
  inside(unit: number): readonly TrieNode[] {
    if (this.#characters > MOST_INSIDE) return [];
    this.#inside ??= byUnit(this.root);
    return this.#inside.get(unit) ?? [];
  }

  #pair(first: number, { ends, units }: TrieNode): void {
    const { begins } = this;
    if (ends) {
      for (let second = 0; second < ALL_UNITS; second++) {
        this.#pairs[pairOf(first, second)] = 1;
        if (first < 0x100 && second < 0x100) begins[first << 8 | second] = 1;
      }
    }
    for (const second of [...units, ...INTRODUCERS]) {
      this.#pairs[pairOf(first, second)] = 1;
      if (first < 0x100 && second < 0x100) begins[first << 8 | second] = 1;
    }
    // UTF-16 in either order.
    if (first < 0x100) begins[first << 8] = begins[first] = 1;
  }
}

function pairOf(first: number, second: number): number {
  return (first * 0x101 ^ second) & 0xffff;
}

function byUnit(root: TrieNode): Map<number, TrieNode[]> {
  const found = new Map<number, TrieNode[]>();
  const seen = new Set([root]);
  for (const node of seen) {
    for (const each of node.next) seen.add(each);
    if (node === root) continue;
    for (const unit of new Set(node.units)) {
      const list = found.get(unit);
      if (list) list.push(node);
      else found.set(unit, [node]);
    }
  }
  return found;
}

/** Escapes are printable ASCII; UTF-16 text has zeros, mail has line breaks. */
const LIKELY = Uint8Array.from(
  { length: 0x100 },
  (_, byte) =>
    byte >= 0x20 && byte < 0x7f || [0, 0x09, 0x0a, 0x0d].includes(byte) ? 1 : 0,
);

/** How an escape may begin; what follows may be escaped itself. */
const ESCAPE = /^(?:%[0-9a-fu%\\&=]|\\[!-~]|&[#a-z%\\&=]|=[0-9a-f\r\n%\\&=])/i;

const ESCAPE_BEGINS = new Uint8Array(ALL_UNITS);
for (const first of INTRODUCERS) {
  for (let second = 0; second < 0x80; second++) {
    const pair = String.fromCharCode(first, second);
    if (ESCAPE.test(pair)) ESCAPE_BEGINS[first << 8 | second] = 1;
  }
  ESCAPE_BEGINS[first << 8] = ESCAPE_BEGINS[first] = 1;
}
