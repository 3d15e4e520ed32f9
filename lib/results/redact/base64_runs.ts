import { BASE64, DIGIT_BYTES, type Stretch, textOf } from "./digits.ts";
import type { Trie } from "./trie.ts";
import { LikelyPairs, type Looker } from "./likely_pairs.ts";

const NONE: readonly Stretch[] = [];

/** Collects the stretches of likely bytes in runs of base64 digits, run by run. */
class Base64Stretches implements Looker {
  #text = "";
  #from = 0;
  #to = 0;
  #least = 0;
  #list: Stretch[] | undefined;
  /** By alignment, up to which byte it has been looked at. */
  readonly #done = [0, 0, 0, 0];

  /** @param likely by byte, 1 for a likely one */
  constructor(readonly likely: Uint8Array) {}

  /** Begins a run; stretches have at least so many bytes. */
  start(text: string, from: number, to: number, least: number): void {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#least = least;
    this.#list = undefined;
    this.#done.fill(0);
  }

  /** What was found since the run began. */
  get list(): readonly Stretch[] {
    return this.#list ?? NONE;
  }

  look(at: number, alignments: number): void {
    for (let skip = 0; skip < 4; skip++) {
      if ((alignments >> skip & 1) === 0) continue;
      const digit = Math.max(0, at - this.#from - skip);
      this.#around(Math.floor(digit * 6 / 8), skip);
    }
  }

  /**
   * Looks where a byte begins inside the digit at `at`: bit `n` of `phases` when
   * that digit is the n-th of its group of four.
   */
  begin(at: number, phases: number): void {
    for (let phase = 0; phase < 3; phase++) {
      if ((phases >> phase & 1) === 0) continue;
      const group = at - this.#from - phase;
      if (group >= 0) this.#around((group >> 2) * 3 + phase, group & 3);
    }
  }

  #around(middle: number, skip: number): void {
    if (middle < this.#done[skip]!) return;
    const count = Math.floor((this.#to - this.#from - skip) * 6 / 8);
    let start = middle;
    while (start > 0 && this.#isLikely(start - 1, skip)) start--;
    let end = middle;
    while (end < count && this.#isLikely(end, skip)) end++;
    this.#done[skip] = end + 1;
    if (end - start < this.#least) return;
    const bytes = Uint8Array.from(
      { length: end - start },
      (_, i) => this.#byte(start + i, skip),
    );
    (this.#list ??= []).push({
      text: textOf(bytes),
      first: start === 0,
      last: end === count,
      digits: (a, b) => [
        skip + Math.floor((start + a) * 8 / 6),
        skip + Math.ceil((start + b) * 8 / 6),
      ],
    });
  }

  #isLikely(byte: number, skip: number): boolean {
    return this.likely[this.#byte(byte, skip)] === 1;
  }

  #byte(byte: number, skip: number): number {
    const digit = Math.floor(byte * 8 / 6);
    const at = this.#from + skip + digit;
    const two = BASE64[this.#text.charCodeAt(at)]! << 6 |
      BASE64[this.#text.charCodeAt(at + 1)]!;
    return two >> (4 - (byte * 8 - digit * 6)) & 0xff;
  }
}

/** From so many bytes on, rows of likely bytes are rare. */
const LONG = 10;

/**
 * Finds what runs of base64 digits decode to where it may hold a secret. Where
 * the digits begin is not where the encoded bytes begin, since words run into
 * each other, as in `/path/aGVsbG8`, so that every alignment is tried. Most runs
 * are ordinary words, so that it has to be quick: nothing is decoded without a
 * reason.
 */
export class Base64Runs {
  readonly #likely: LikelyPairs;
  readonly #found: Base64Stretches;
  /** Digits in digits. */
  readonly #digits = new LikelyPairs(DIGIT_BYTES);

  constructor(readonly trie: Trie) {
    this.#likely = new LikelyPairs(trie.likely);
    this.#found = new Base64Stretches(trie.likely);
  }

  /**
   * The stretches of likely bytes, `least` or more of them.
   *
   * @param from where the run begins; it has no line breaks
   * @param cut the text was cut off where it begins
   */
  stretches(
    text: string,
    from: number,
    to: number,
    least: number,
    cut: boolean,
  ): readonly Stretch[] {
    const found = this.#found;
    found.start(text, from, to, least);
    if (cut) found.look(from, 0b1111);
    if (least >= LONG) this.#likely.scan(text, from, to, least, found);
    else {
      this.#begins(text, from, to, found);
      this.#digits.scan(text, from, to, Math.ceil(least * 8 / 6), found);
    }
    return found.list;
  }

  /** Looks where two bytes are the first of a secret, at any alignment. */
  #begins(
    text: string,
    from: number,
    to: number,
    found: Base64Stretches,
  ): void {
    const { begins } = this.trie;
    let window = 0;
    // The last digits are not the first of four.
    for (let at = from; at < to + 3; at++) {
      const value = at < to ? BASE64[text.charCodeAt(at)]! : 0;
      window = (window << 6 | value) & 0xffffff;
      const hits = begins[window >> 8]! | begins[window >> 6 & 0xffff]! << 1 |
        begins[window >> 4 & 0xffff]! << 2;
      if (hits !== 0 && at >= from + 3) found.begin(at - 3, hits);
    }
  }
}
