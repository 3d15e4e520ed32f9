import type { FormatWords } from "../../base/values/format_words.ts";
import { NO_OTHERS } from "./vocabulary.ts";
import { otherBytes, otherTexts } from "./aliases.ts";
import { loadEntityNames } from "./entities.ts";
import { Search } from "./search.ts";
import { SHORT, Trie } from "./trie.ts";
import { type Edges, WHOLE } from "./cuts.ts";

/** What replaces a secret. */
export const MARK = "[redacted]";

/**
 * The values that must never be stored. Registering is allowed at any time; a
 * value counts from the next `scrub` on.
 */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #trie = new Trie();
  #search: Search | undefined;
  /** Values that hold the mark itself, which pieces between marks cannot show. */
  #aroundMark: string[] = [];

  /** @param words of the format whose documents are in the run files */
  constructor(readonly words: FormatWords = NO_OTHERS) {}

  /** Loads what only `scrub` needs; to be awaited before the first. */
  static async prepare(): Promise<void> {
    await loadEntityNames();
  }

  /** Registers a value in all its forms; an empty one is skipped. */
  register(value: string): void {
    if (value === "" || this.#values.has(value)) return;
    this.#values.add(value);
    if (value.includes(MARK)) {
      this.#aroundMark.push(value);
      this.#aroundMark.sort((a, b) => b.length - a.length);
    }
    for (const each of [value, ...otherTexts(value), ...otherBytes(value)]) {
      this.#trie.add(each);
    }
    this.#search = undefined;
  }

  /** How many values are registered. */
  get size(): number {
    return this.#values.size;
  }

  /** Values under four characters, for the warning. */
  get short(): string[] {
    return [...this.#values].filter((value) => value.length < SHORT);
  }

  /**
   * `text` with every form of every secret replaced by `[redacted]`. Scrubbing
   * twice changes nothing more: what already reads `[redacted]` is left alone,
   * even when a secret is a part of that word. At an ellipsis the text counts as
   * cut off: a part of a secret beside it goes as well.
   *
   * @param edges where the text itself was cut off
   */
  scrub(text: string, edges: Edges = WHOLE): string {
    if (this.#values.size === 0 || text === "") return text;
    for (;;) {
      const scrubbed = this.#once(text, edges);
      if (scrubbed === text) return text;
      text = scrubbed;
    }
  }

  #once(text: string, edges: Edges): string {
    if (this.#aroundMark.length > 0) text = this.#scrubAroundMark(text);
    this.#search ??= new Search(this.#trie, MARK);
    const found = this.#search.find(text, edges);
    return found.length === 0 ? text : withMarks(text, found);
  }

  /** Each round makes the text shorter, so that the rounds end. */
  #scrubAroundMark(text: string): string {
    for (let before = ""; before !== text;) {
      before = text;
      for (const word of this.#aroundMark) {
        if (word !== MARK) text = text.replaceAll(word, MARK);
      }
    }
    return text;
  }
}

/** @param found pairs of start and end; those that overlap make one stretch */
function withMarks(text: string, found: readonly number[]): string {
  const ranges: [start: number, end: number][] = [];
  for (let i = 0; i < found.length; i += 2) {
    ranges.push([found[i]!, found[i + 1]!]);
  }
  ranges.sort((a, b) => a[0] - b[0]);
  let out = "";
  let at = 0;
  for (const [start, end] of ranges) {
    if (start >= at) out += text.slice(at, start) + MARK;
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}
