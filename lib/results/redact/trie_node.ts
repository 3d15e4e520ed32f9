import { spellingsOf } from "./spellings.ts";

/** What is left of a secret: a text, or bytes that are not text. */
interface Rest {
  readonly of: string | Uint8Array;
  readonly from: number;
}

/**
 * A node inside one or more secrets: what was read so far is a beginning of
 * them. It becomes a tree where a text is read along it, and is a list of texts
 * before: a run may have a million secrets, and meets few of them.
 */
export class TrieNode {
  /** Edges: UTF-16 code units of a text, or bytes of one that has one a character. */
  readonly #units: number[] = [];
  readonly #next: TrieNode[] = [];
  /** Where one character of a text, or one byte, leads, however it is spelled. */
  readonly #steps = new Map<string | number, TrieNode>();
  #rests: Rest[] = [];
  /** A secret ends here. */
  ends = false;
  /** Characters to the nearest end. */
  left = Infinity;

  /** @param depth characters from the beginning */
  constructor(readonly id: number, readonly depth: number) {}

  /** Adds what is left of a secret after this node. */
  add(of: string | Uint8Array, from = 0): void {
    this.left = Math.min(this.left, of.length - from);
    if (from === of.length) this.ends = true;
    else this.#rests.push({ of, from });
  }

  get units(): readonly number[] {
    if (this.#rests.length > 0) this.#grow();
    return this.#units;
  }

  /** Where each of the units leads. */
  get next(): readonly TrieNode[] {
    if (this.#rests.length > 0) this.#grow();
    return this.#next;
  }

  #grow(): void {
    for (const { of, from } of this.#rests) {
      if (typeof of === "string") {
        const character = String.fromCodePoint(of.codePointAt(from)!);
        this.#step(character, () => spellingsOf(character))
          .add(of, from + character.length);
      } else {
        const byte = of[from]!;
        this.#step(byte, () => [[byte]]).add(of, from + 1);
      }
    }
    this.#rests = [];
  }

  #step(
    character: string | number,
    spellings: () => number[][],
  ): TrieNode {
    const known = this.#steps.get(character);
    if (known) return known;
    const to = newNode(this.depth + 1);
    this.#steps.set(character, to);
    for (const units of spellings()) TrieNode.#link(this, units, to);
    return to;
  }

  static #link(from: TrieNode, units: readonly number[], to: TrieNode): void {
    for (const unit of units.slice(0, -1)) {
      const between = newNode(to.depth);
      from.#units.push(unit);
      from.#next.push(between);
      from = between;
    }
    from.#units.push(units.at(-1)!);
    from.#next.push(to);
  }
}

let made = 0;

/** A node that nothing leads to yet; no two have the same id. */
export function newNode(depth: number): TrieNode {
  return new TrieNode(made++, depth);
}
