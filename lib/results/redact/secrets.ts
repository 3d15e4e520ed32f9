import { formsOf } from "./forms.ts";
import { Matcher } from "./matcher.ts";

/** What stands where a secret stood. */
export const MARK = "[redacted]";

/** Shorter values hide ordinary text and are warned about. */
const SHORT = 4;

/**
 * The values that must never be stored. Registering is allowed at any time; a
 * value counts from the next `scrub` on.
 */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #words = new Set<string>();
  #matcher: Matcher | undefined;
  /** Words that hold the mark itself, which pieces between marks cannot show. */
  #aroundMark: string[] = [];

  /** Registers a value in all its forms; an empty one is skipped. */
  register(value: string): void {
    if (value === "" || this.#values.has(value)) return;
    this.#values.add(value);
    for (const form of formsOf(value)) {
      if (form.includes(MARK)) this.#aroundMark.push(form);
      else this.#words.add(form);
    }
    this.#aroundMark.sort((a, b) => b.length - a.length);
    this.#matcher = undefined;
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
   * even when a secret is a part of that word.
   */
  scrub(text: string): string {
    if (this.#values.size === 0 || text === "") return text;
    if (this.#aroundMark.length > 0) text = this.#scrubAroundMark(text);
    if (!text.includes(MARK)) return this.#scrubPiece(text);
    const scrubbed = text.split(MARK)
      .map((piece) => this.#scrubPiece(piece)).join(MARK);
    return this.#aroundMark.length > 0
      ? this.#scrubAroundMark(scrubbed)
      : scrubbed;
  }

  /**
   * As `scrub`, for text that was cut off: the beginning of a secret at the
   * cut goes as well, from four characters on.
   */
  scrubCut(text: string): string {
    const scrubbed = this.scrub(text);
    if (scrubbed.endsWith(MARK)) return scrubbed;
    const cut = this.#compiled().openEnd(scrubbed);
    return cut === 0
      ? scrubbed
      : scrubbed.slice(0, scrubbed.length - cut) + MARK;
  }

  #scrubPiece(text: string): string {
    const matches = this.#compiled().find(text);
    if (matches.length === 0) return text;
    let out = "";
    let at = 0;
    for (const { start, end } of matches) {
      out += text.slice(at, start) + MARK;
      at = end;
    }
    return out + text.slice(at);
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

  #compiled(): Matcher {
    return this.#matcher ??= new Matcher(this.#words);
  }
}
