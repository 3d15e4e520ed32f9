import type { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { digitTexts, likelyRows } from "./digits.ts";
import { formsOf, SHORT } from "./forms.ts";
import {
  ELLIPSIS,
  loadEntityNames,
  otherwiseUnescaped,
  unescaped,
} from "./unescaped.ts";
import { FormIndex } from "./form_index.ts";

/** The text in place of a secret. */
export const MARK = "[redacted]";

/** The text in place of a secret, or of a whole value in which one is encoded. */
const MARKS =
  /\[redacted(?:: (?:\d+|<n>) characters, SHA-256 (?:([\da-f]{64})|<id>))?\]/g;

/** Encodings around each other that are taken off. */
const DEPTH = 6;
const RARE = 2;
/** So much is decoded of a text before it is withheld: its own length so often, and more. */
const MOST_TIMES = 32;
const MOST_BESIDE = 1 << 16;
/** Of more secrets than these only the value itself is replaced in place. */
const MANY = 1000;
/** A part of a value that says something by itself. */
const LONG_PART = 6;
/** Digits that no hash has by chance; a line that says something by itself. */
const LONG = 12;
const LINE_END = /[ \t]*[\r\n]+[ \t]*/;
const LINE_ENDS = new RegExp(LINE_END, "g");

/** Strings, lists of bytes, numbers and literals of JSON text (RFC 8259), also where it was cut. */
const LEAF =
  /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|\[\s*\d{1,3}(?:\s*,\s*\d{1,3})+\s*\]|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** JSON text; brackets begin others, too, and so does a mark. */
const JSON_BEGINS =
  /^\s*(?:[{"]|\[\s*(?:[\]{"\d-]|\[(?!redacted)|true|false|null))/;

/**
 * The value as decoding leaves it: characters of it that look like an escape are
 * taken off with the escapes around them, and so is a backslash at its end, which
 * stands before whatever follows.
 */
function readAsEscaped(value: string): string {
  let read = value;
  for (let depth = 0; depth < DEPTH; depth++) read = unescaped(read);
  return read.replace(/\\+$/, "");
}

/**
 * The values that must never be stored. Registering is allowed at any time; a
 * value counts from the next `scrub` on.
 */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #forms = new FormIndex();
  readonly #short = new Set<string>();
  /** Texts of the author that a secret is a part of, longest first. */
  #written: readonly string[] = [];

  /** Loads what only `scrub` needs; to be awaited before the first. */
  static async prepare(): Promise<void> {
    await loadEntityNames();
  }

  /** Registers a value; an empty one is skipped. */
  register(value: string): void {
    if (value === "" || this.#values.has(value)) return;
    this.#values.add(value);
    // At an ellipsis a text counts as cut, also at one of the value's own.
    for (const part of value.split(ELLIPSIS)) {
      if (part !== value && part.length >= LONG_PART) this.register(part);
    }
    // A key of several lines is written with other line ends, and with none.
    for (const line of value.split(LINE_END)) {
      if (line !== value && line.length >= LONG) this.register(line);
    }
    if (value.length < SHORT) this.#short.add(value);
    else if (this.#values.size > MANY) {
      this.#forms.add({ text: value, inRun: false });
    } else for (const form of formsOf(value)) this.#forms.add(form);
    // In capitals a letter may become two, which folding does not undo.
    for (const each of [value, value.toUpperCase()]) {
      const read = readAsEscaped(each);
      if (read !== each && read.length >= LONG) {
        this.#forms.add({ text: read, inRun: false });
      }
    }
  }

  /**
   * Notes what the author of the flow wrote: messages quote it as it is, though a
   * value that was registered before is a part of it.
   */
  keep(texts: Iterable<string>): void {
    this.#written = [...new Set(texts)].filter((text) =>
      this.#forms.find(text).some(([from, to]) => to - from < text.length)
    ).sort((a, b) => b.length - a.length);
  }

  /** How many values are registered. */
  get size(): number {
    return this.#values.size;
  }

  /** Values under four characters, for the warning. */
  get short(): string[] {
    return [...this.#short];
  }

  /**
   * A value without secrets. What can be computed beforehand is replaced by
   * `[redacted]` where it stands. A secret that is found only by decoding withholds
   * the string of JSON text it is in, or else the value. Scrubbing twice changes
   * nothing more. At an ellipsis the text counts as cut off: a beginning of a
   * secret before it goes as well.
   *
   * @param cut the text itself was cut off
   */
  scrub(text: string, cut = false): string {
    return this.cleaned(text, cut) ?? withheld(text);
  }

  /** The same; undefined for a value that is to be withheld. */
  cleaned(text: string, cut = false): string | undefined {
    if (this.#values.size === 0 || text === "") return text;
    const clean = this.#clean(cut ? text + ELLIPSIS : text);
    return cut ? clean?.slice(0, -1) : clean;
  }

  /** Whether bytes that are no text hold one. */
  isInBytes(bytes: Buffer, cut = false): boolean {
    if (this.#forms.size === 0) return false;
    const { likely, shortest } = this.#forms;
    const end = cut ? ELLIPSIS : "";
    const rows = likelyRows(bytes, likely, shortest, end);
    return this.#clean(rows) !== rows;
  }

  #clean(text: string): string | undefined {
    const plain = this.#replaced(text);
    const isJson = JSON_BEGINS.test(text);
    const hides = this.#hides(plain);
    if (!hides && !isJson) return plain;
    if (!hides && plain === text && this.#short.size === 0) return text;
    if (!isJson) return;
    const clean = this.#replaced(
      text.replaceAll(LEAF, (leaf) => this.#leaf(leaf)),
    );
    return this.#hides(clean) ? undefined : clean;
  }

  #leaf(leaf: string): string {
    if (leaf[0] !== '"') {
      const list = leaf[0] === "[";
      if (list) {
        return this.#hides(leaf) ? JSON.stringify(withheld(leaf)) : leaf;
      }
      return this.#short.has(leaf) || this.#replaced(leaf) !== leaf
        ? JSON.stringify(MARK)
        : leaf;
    }
    let value = leaf.slice(1);
    try {
      value = JSON.parse(leaf);
    } catch {
      value = value.replace(/"$/, "");
    }
    const clean = this.#clean(value) ?? withheld(value);
    return clean === value ? leaf : JSON.stringify(clean);
  }

  /** Short values go where they are all there is: of the text, a segment or a parameter. */
  #withoutShort(text: string): string {
    if (this.#short.has(text)) return MARK;
    return /\s/.test(text)
      ? text
      : text.replaceAll(/(?<=[/=])[^/?&=;#]+/g, (part) =>
        this.#short.has(unescaped(part.replaceAll("+", " "))) ? MARK : part);
  }

  /** Short values go last: a longer one may have them as a part. */
  #replaced(text: string): string {
    for (;;) {
      const out = this.#replacedOnce(text);
      if (out === text) break;
      text = out;
    }
    return this.#short.size > 0 ? this.#withoutShort(text) : text;
  }

  #replacedOnce(text: string): string {
    const found = this.#forms.find(text);
    if (found.length === 0) return text;
    const left = this.#leftAlone(text);
    let out = "";
    let at = 0;
    for (const [from, to] of found) {
      // What stands for a secret already is none, but a secret may hold it.
      if (
        left.some(([a, b]) =>
          from < b && to > a && !(from <= a && to >= b && to - from > b - a)
        )
      ) {
        continue;
      }
      if (from >= at) out += text.slice(at, from) + MARK;
      at = Math.max(at, to);
    }
    return out + text.slice(at);
  }

  /** Where a text shows marks, and what the author wrote. */
  #leftAlone(text: string): [from: number, to: number][] {
    const found: [number, number][] = [];
    for (const { 0: mark, 1: hash, index } of text.matchAll(MARKS)) {
      // A target may write such a mark around a secret.
      const fake = hash !== undefined &&
        this.#forms.find(hash).some(([from, to]) => to - from >= LONG);
      if (!fake) found.push([index, index + mark.length]);
    }
    for (const each of this.#written) {
      for (let at = -1; (at = text.indexOf(each, at + 1)) >= 0;) {
        found.push([at, at + each.length]);
      }
    }
    return found;
  }

  /** Whether a secret can be read out of a text by taking encodings off. */
  #hides(text: string): boolean {
    if (this.#forms.size === 0) return false;
    // What a cut left of an escape may have looked like the beginning of a secret.
    const cut = text.replaceAll(MARK + ELLIPSIS, ELLIPSIS);
    let bare = cut.replaceAll(
      MARKS,
      (mark, hash) =>
        hash && this.#forms.find(hash).length > 0 ? mark : "\uffff",
    );
    for (const each of this.#written) bare = bare.replaceAll(each, "\uffff");
    const room = { left: MOST_TIMES * bare.length + MOST_BESIDE };
    return this.#isIn(bare, DEPTH, RARE, new Map(), room);
  }

  /** Whether lines were broken inside of a long one, as mail and terminals do. */
  #isInLines(text: string): boolean {
    return /[\r\n]/.test(text) &&
      ["", " "].some((between) =>
        this.#forms.find(text.replaceAll(LINE_ENDS, between))
          .some(([from, to]) => to - from >= LONG)
      );
  }

  /**
   * @param depth layers that are taken off: digits count twice
   * @param rare how many of them may be of rarer escapes
   * @param seen texts that were looked at, with the layers and rarer ones left
   */
  #isIn(
    text: string,
    depth: number,
    rare: number,
    seen: Map<string, readonly [left: number, rare: number]>,
    room: { left: number },
  ): boolean {
    const { likely, shortest } = this.#forms;
    room.left -= text.length;
    const look = (plain: string | undefined, layers: number, rare: number) => {
      if (plain === undefined) return true;
      if (plain.length < SHORT || plain === text) return false;
      const [left, more] = seen.get(plain) ?? [-1, -1];
      if (left >= depth - layers && more >= rare) return false;
      seen.set(plain, [depth - layers, rare]);
      return room.left < 0 || this.#forms.find(plain).length > 0 ||
        depth > layers &&
          this.#isIn(plain, depth - layers, rare, seen, room);
    };
    return this.#isInLines(text) || look(unescaped(text), 1, rare) ||
      rare > 0 &&
        otherwiseUnescaped(text).some((each) => look(each, 1, rare - 1)) ||
      digitTexts(text, likely, shortest).some((each) => look(each, 2, RARE));
  }
}

/** The text stored in place of a value that hides a secret. */
function withheld(text: string): string {
  return `[redacted: ${text.length} characters, SHA-256 ${
    hash("sha256", text)
  }]`;
}
