import { Base64Stretches } from "./base64_stretches.ts";
import { BASE64, DIGIT_BYTES, type Stretch } from "./digits.ts";
import { LikelyPairs } from "./likely_pairs.ts";

/** From so many bytes on, rows of likely bytes are rare. */
const LONG = 10;

/** What secrets look like in bytes. */
export interface Looks {
  /** By byte, 1 for one that secrets or their escapes are made of. */
  readonly likely: Uint8Array;
  /** By two bytes, 1 for those that a secret or an escape may begin with. */
  readonly begins: Uint8Array;
}

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

  constructor(readonly looks: Looks) {
    this.#likely = new LikelyPairs(looks.likely);
    this.#found = new Base64Stretches(looks.likely);
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
    const { begins } = this.looks;
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
