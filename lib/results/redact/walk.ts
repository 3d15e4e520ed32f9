import {
  brokenEscape,
  type Edges,
  ELLIPSIS,
  LONGEST_REST,
  PART,
} from "./cuts.ts";
import { isIntroducer, NOTHING } from "./escape_cursor.ts";
import { readEscapes } from "./escapes.ts";
import type { Trie } from "./trie.ts";
import type { TrieNode } from "./trie_node.ts";

const ESCAPE_BODY = /[\w#;{}\r\n]/;
const SOFT_BREAK = /^=\r?\n/;

/**
 * Reads one text along the trie. A character may be plain or escaped, each
 * in its own way, so that all spellings of all secrets are found in one pass.
 */
export class Walk {
  readonly #nodes: TrieNode[] = [];
  readonly #ats: number[] = [];
  readonly #counts: number[] = [];
  readonly #seen = new Set<number>();
  readonly #escapes = new Map<number, number[]>();

  constructor(
    readonly trie: Trie,
    readonly text: string,
    readonly edges: Edges,
  ) {}

  /** Where the longest secret that begins at `at` ends; -1 when none does. */
  from(at: number): number {
    return this.#along(this.trie.root, at, 0);
  }

  /** The same for the rest of a secret, where a text was cut. */
  afterCut(at: number): number {
    let end = -1;
    // The cut may have gone through an escape: `041\042` of `\041\042`.
    for (let from = at; from - at < LONGEST_REST; from++) {
      end = Math.max(end, this.#inside(from));
      const line = SOFT_BREAK.exec(this.text.slice(from, from + 3))?.[0];
      if (line !== undefined) from += line.length - 1;
      else if (!ESCAPE_BODY.test(this.text[from] ?? "")) break;
    }
    return end;
  }

  #inside(at: number): number {
    let end = -1;
    const begin = (unit: number) => {
      for (const node of this.trie.inside(unit)) {
        end = Math.max(end, this.#along(node, at, node.depth));
      }
    };
    const unit = this.text.charCodeAt(at);
    begin(unit);
    if (!isIntroducer(unit)) return end;
    const escapes = this.#escapesAt(at);
    for (let i = 0; i < escapes.length; i += 2) {
      const point = escapes[i]!;
      begin(point > 0xffff ? surrogates(point)[0] : point);
    }
    return end;
  }

  /** @param missing characters of the secret before the cut */
  #along(start: TrieNode, at: number, missing: number): number {
    let best = -1;
    this.#push(start, at, 0);
    while (this.#nodes.length > 0) {
      const node = this.#nodes.pop()!;
      best = Math.max(
        best,
        this.#straight(node, this.#ats.pop()!, this.#counts.pop()!, missing),
      );
    }
    if (this.#seen.size > 0) this.#seen.clear();
    return best;
  }

  /** Reads on until there is nothing more; other ways are put on the stack. */
  #straight(
    node: TrieNode,
    at: number,
    count: number,
    missing: number,
  ): number {
    const { text } = this;
    let best = -1;
    for (;;) {
      if (node.ends && isPart(count, missing)) best = at;
      const unit = at < text.length ? text.charCodeAt(at) : NOTHING;
      if (
        (unit === ELLIPSIS || unit === NOTHING && this.edges.end) &&
        isPart(count, missing + node.left)
      ) best = at;
      if (isIntroducer(unit)) {
        if (!this.#branch(node, at, count)) return best;
        if (isPart(count, missing + node.left)) {
          best = Math.max(best, brokenEscape(text, at, this.edges));
        }
      }
      let next: TrieNode | undefined;
      const { units } = node;
      for (let i = 0; i < units.length; i++) {
        if (units[i] !== unit) continue;
        if (next) this.#push(node.next[i]!, at + 1, count + 1);
        else next = node.next[i];
      }
      if (!next) return best;
      node = next;
      at++;
      count++;
    }
  }

  /** Notes what the escapes at `at` lead to; false when that was done before. */
  #branch(node: TrieNode, at: number, count: number): boolean {
    const key = node.id * (this.text.length + 1) + at;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    const escapes = this.#escapesAt(at);
    for (let i = 0; i < escapes.length; i += 2) {
      const [point, end] = [escapes[i]!, escapes[i + 1]!];
      if (point === NOTHING) {
        if (count > 0) this.#push(node, end, count);
      } else if (point <= 0xffff) this.#step(node, point, end, count);
      else {
        const [high, low] = surrogates(point);
        for (
          const middle of node.next.filter((_, i) => node.units[i] === high)
        ) {
          this.#step(middle, low, end, count);
        }
      }
    }
    return true;
  }

  /** A position is reached from many others. */
  #escapesAt(at: number): readonly number[] {
    let escapes = this.#escapes.get(at);
    if (escapes) return escapes;
    escapes = [];
    readEscapes(this.text, at, escapes);
    this.#escapes.set(at, escapes);
    return escapes;
  }

  #step(node: TrieNode, unit: number, at: number, count: number): void {
    for (let i = 0; i < node.units.length; i++) {
      if (node.units[i] === unit) this.#push(node.next[i]!, at, count + 1);
    }
  }

  #push(node: TrieNode, at: number, count: number): void {
    this.#nodes.push(node);
    this.#ats.push(at);
    this.#counts.push(count);
  }
}

function isPart(count: number, missing: number): boolean {
  return missing === 0 || count >= PART || count >= 2 && count >= missing;
}

function surrogates(point: number): [high: number, low: number] {
  const text = String.fromCodePoint(point);
  return [text.charCodeAt(0), text.charCodeAt(1)];
}
