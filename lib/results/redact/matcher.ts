/** Part of a text: from `start` up to, not including, `end`. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Words at least this long are told apart by this many first characters. */
const PREFIX = 4;

/**
 * Finds any of many literal words in a text. Words are filed under a hash of
 * their first characters, so that a place where none begins costs one look-up,
 * however many words there are.
 */
export class Matcher {
  readonly #long = new PrefixTable(PREFIX);
  /** Words too short for the long table; there are few. */
  readonly #short = new PrefixTable(1);
  #hasShort = false;
  #longest = 0;

  /** @param words none of them empty */
  constructor(words: Iterable<string>) {
    for (const word of words) {
      const long = word.length >= PREFIX;
      (long ? this.#long : this.#short).add(word);
      this.#hasShort ||= !long;
      this.#longest = Math.max(this.#longest, word.length);
    }
    this.#long.sort();
    this.#short.sort();
  }

  /**
   * Every stretch of `text` covered by words, in order. Words that overlap
   * make one stretch, so that no part of the second stays readable.
   */
  find(text: string): Match[] {
    const found: Match[] = [];
    let start = -1;
    let end = -1;
    for (let at = 0; at < text.length; at++) {
      let length = this.#long.longestAt(text, at);
      if (length === 0 && this.#hasShort) {
        length = this.#short.longestAt(text, at);
      }
      if (length === 0) continue;
      if (at >= end) {
        if (end > 0) found.push({ start, end });
        start = at;
      }
      end = Math.max(end, at + length);
    }
    if (end > 0) found.push({ start, end });
    return found;
  }

  /** How many characters at the end of `text` begin a longer word; at least four, or 0. */
  openEnd(text: string): number {
    const from = Math.max(0, text.length - this.#longest);
    for (let at = from; at <= text.length - PREFIX; at++) {
      if (this.#long.beginsAt(text, at)) return text.length - at;
    }
    return 0;
  }
}

/** Buckets of a prefix table; a power of two. */
const BUCKETS = 1 << 16;

class PrefixTable {
  readonly #buckets = new Map<number, string[]>();
  readonly #filled = new Uint8Array(BUCKETS);

  constructor(readonly prefix: number) {}

  add(word: string): void {
    const hash = this.#hash(word, 0);
    const bucket = this.#buckets.get(hash);
    if (bucket) bucket.push(word);
    else this.#buckets.set(hash, [word]);
    this.#filled[hash] = 1;
  }

  sort(): void {
    for (const bucket of this.#buckets.values()) {
      bucket.sort((a, b) => b.length - a.length);
    }
  }

  /** Length of the longest word that stands at `at`; 0 when none does. */
  longestAt(text: string, at: number): number {
    if (at + this.prefix > text.length) return 0;
    const hash = this.#hash(text, at);
    if (this.#filled[hash] === 0) return 0;
    for (const word of this.#buckets.get(hash)!) {
      if (text.startsWith(word, at)) return word.length;
    }
    return 0;
  }

  /** Whether the text from `at` to its end is the beginning of a word. */
  beginsAt(text: string, at: number): boolean {
    const rest = text.slice(at);
    return this.#buckets.get(this.#hash(text, at))
      ?.some((word) => word.startsWith(rest)) ?? false;
  }

  #hash(text: string, at: number): number {
    let hash = 0;
    for (let i = 0; i < this.prefix; i++) {
      hash = Math.imul(hash, 31) + text.charCodeAt(at + i);
    }
    return (hash ^ (hash >>> 14)) & (BUCKETS - 1);
  }
}
