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

const UTF8 = new TextEncoder();
const BLANK = 0x20;
const PLUS = 0x2b;

/**
 * The units one character of a secret may be written as: code units, the bytes of
 * UTF-8, the bytes of UTF-16 in either order without zeros, such bytes taken for
 * Latin-1 and encoded as UTF-8, and what line ends and spaces become.
 */
export function spellingsOf(character: string): number[][] {
  const units = Array.from(
    { length: character.length },
    (_, i) => character.charCodeAt(i),
  );
  if (units[0] === BLANK) return [units, [PLUS]];
  if (character === "\n") return [units, [0x0d, 0x0a]];
  if (units[0]! < 0x80) return [units];
  const bytes = [[...UTF8.encode(character)]];
  if (units.some((unit) => unit > 0xff)) {
    const low = (unit: number) => unit & 0xff;
    const high = (unit: number) => unit >> 8;
    bytes.push(
      units.flatMap((unit) => [low(unit), high(unit)]),
      units.flatMap((unit) => [high(unit), low(unit)]),
    );
  }
  const twice = bytes.map((each) => [
    ...UTF8.encode(String.fromCharCode(...each)),
  ]);
  return [units, ...bytes, ...twice]
    .map((each) => each.filter((unit) => unit !== 0))
    .flatMap((each) =>
      each.includes(BLANK)
        ? [each, each.map((unit) => unit === BLANK ? PLUS : unit)]
        : [each]
    );
}
