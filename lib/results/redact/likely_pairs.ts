import { BASE64 } from "./digits.ts";

/** Four counters in one number, one an alignment. */
const ONES = 0x01010101;
const HIGH = 0x80808080 | 0;
/** By alignments, one a bit: the counters of these and no others. */
const COUNTERS = Int32Array.from(
  { length: 16 },
  (_, mask) =>
    [0, 1, 2, 3].reduce(
      (all, bit) => (mask >> bit & 1) === 1 ? all | 0xff << 8 * bit : all,
      0,
    ),
);
/** More than this many pairs in a row need not be seen to look closer. */
const MOST_PAIRS = 100;

/** Called with each position in a run that is worth a closer search. */
export interface Looker {
  /** @param alignments one a bit, by digits before the first group of four */
  look(at: number, alignments: number): void;
}

/**
 * Finds rows of likely bytes in runs of base64 digits without decoding them: it
 * looks at two digits at a time, and at all four alignments at once.
 */
export class LikelyPairs {
  /** By two digits, at which alignments they may be a part of likely bytes. */
  readonly #even: Uint8Array;
  readonly #odd: Uint8Array;

  /** @param likely by byte, 1 for a likely one */
  constructor(likely: Uint8Array) {
    const phases = phasesOf(likely);
    // The second pair of a group of four stands two digits further on.
    this.#even = phases.map((mask) => byAlignment(mask, 0));
    this.#odd = phases.map((mask) => byAlignment(mask, 2));
  }

  /**
   * Misses no row of `least` bytes; names some that are shorter.
   *
   * @param from where the run begins; it has no line breaks
   */
  scan(
    text: string,
    from: number,
    to: number,
    least: number,
    looker: Looker,
  ): void {
    const enough = Math.max(
      1,
      Math.min(MOST_PAIRS, Math.floor(least * 8 / 12) - 1),
    );
    const toHigh = Math.imul(0x80 - enough, ONES);
    let counters = 0;
    let table = this.#even;
    let next = this.#odd;
    for (let at = from; at + 1 < to; at += 2) {
      const pair = BASE64[text.charCodeAt(at)]! << 6 |
        BASE64[text.charCodeAt(at + 1)]!;
      counters = (counters + ONES) & COUNTERS[table[pair]!]!;
      const full = (counters + toHigh) & HIGH;
      if (full !== 0) {
        const alignments = maskOf(full);
        looker.look(at, alignments);
        // What has been looked at is counted anew.
        counters &= ~COUNTERS[alignments]!;
      }
      const other = table;
      table = next;
      next = other;
    }
  }
}

function maskOf(full: number): number {
  return full >>> 7 & 1 | full >>> 14 & 2 | full >>> 21 & 4 | full >>> 28 & 8;
}

/**
 * By two digits, in which phases they may be a part of likely bytes. Of a group of
 * four digits, phase 0 is the first and second, phase 3 the last and the next.
 */
function phasesOf(likely: Uint8Array): Uint8Array {
  const bytes = [...likely.keys()].filter((byte) => likely[byte] === 1);
  const has = (shift: number, bits: number) => {
    const seen = new Uint8Array(0x100);
    for (const byte of bytes) seen[byte >> shift & (1 << bits) - 1] = 1;
    return (part: number) => seen[part & (1 << bits) - 1] === 1;
  };
  const [whole, first2, first4, first6] = [
    has(0, 8),
    has(6, 2),
    has(4, 4),
    has(2, 6),
  ];
  const [last2, last4, last6] = [has(0, 2), has(0, 4), has(0, 6)];
  return Uint8Array.from(
    { length: 1 << 12 },
    (_, pair) =>
      (whole(pair >> 4) && first4(pair) ? 1 : 0) |
      (last2(pair >> 10) && whole(pair >> 2) && first2(pair) ? 2 : 0) |
      (last4(pair >> 8) && whole(pair) ? 4 : 0) |
      (last6(pair >> 6) && first6(pair) ? 8 : 0),
  );
}

/** @param digits how many are before the pair */
function byAlignment(phases: number, digits: number): number {
  return [0, 1, 2, 3].reduce(
    (mask, skip) => mask | (phases >> ((digits - skip) & 3) & 1) << skip,
    0,
  );
}
