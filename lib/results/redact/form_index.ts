import { folded, type SecretForm, SHORT } from "./forms.ts";
import { ELLIPSIS } from "./unescaped.ts";

const UTF8 = new TextEncoder();

/** Forms with the same beginning. */
interface Alike {
  /** Longest first. */
  readonly lengths: number[];
  /** By folded text, whether it is a part of a run of digits. */
  readonly texts: Map<string, boolean>;
}

/** Forms by their first characters, so that a text is read once for all of them. */
export class FormIndex {
  readonly #alike = new Map<string, Alike>();
  /** By `pairOf` two code units, 1 for those that a form begins with. */
  readonly #begins = new Uint8Array(0x10000);
  /** By byte, 1 for one that a form or the escapes in it are made of. */
  readonly likely: Uint8Array = LIKELY.slice();
  /** Characters of the shortest form. */
  shortest = Infinity;
  size = 0;

  /** @param text of `SHORT` characters or more */
  add({ text, inRun }: SecretForm): void {
    for (const each of [text, text.toUpperCase(), text.toLowerCase()]) {
      for (let i = 0; i < each.length; i++) {
        const unit = each.charCodeAt(i);
        this.likely[unit & 0xff] = this.likely[unit >> 8] = 1;
      }
      for (const byte of UTF8.encode(each)) this.likely[byte] = 1;
      // UTF-8 that was read one byte a character and written as UTF-8 again.
      if (NOT_ASCII.test(each)) this.likely.fill(1, 0x80, 0xc4);
    }
    const form = folded(text);
    const start = form.slice(0, SHORT);
    const alike = this.#alike.getOrInsertComputed(
      start,
      () => ({ lengths: [], texts: new Map() }),
    );
    if (alike.texts.has(form)) return;
    alike.texts.set(form, inRun);
    if (!alike.lengths.includes(form.length)) {
      alike.lengths.push(form.length);
      alike.lengths.sort((a, b) => b - a);
    }
    this.#begins[pairOf(form.charCodeAt(0), form.charCodeAt(1))] = 1;
    this.shortest = Math.min(this.shortest, form.length);
    this.size++;
  }

  /** Where forms stand in a text, in order of where they begin. */
  find(written: string): [from: number, to: number][] {
    const found: [number, number][] = [];
    if (this.size === 0) return found;
    const text = folded(written);
    let next = text.charCodeAt(0);
    for (let at = 0; at + SHORT <= text.length; at++) {
      const unit = next;
      next = text.charCodeAt(at + 1);
      if (this.#begins[pairOf(unit, next)] === 0) continue;
      const alike = this.#alike.get(text.slice(at, at + SHORT));
      const range = alike && rangeOf(text, at, alike);
      if (range) {
        found.push(
          range.inRun ? withNeighbours(written, range) : [at, range.to],
        );
      }
    }
    return found.sort(([a], [b]) => a - b);
  }
}

function pairOf(first: number, second: number): number {
  return (first * 0x101 ^ second) & 0xffff;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly inRun: boolean;
}

function rangeOf(
  text: string,
  from: number,
  { lengths, texts }: Alike,
): Range | undefined {
  for (const length of lengths) {
    const inRun = texts.get(text.slice(from, from + length));
    if (inRun !== undefined) return { from, to: from + length, inRun };
  }
  // A secret may have an ellipsis in it.
  const window = text.slice(from, from + lengths[0]! + 1);
  for (let dots; (dots = window.lastIndexOf(ELLIPSIS, dots)) >= SHORT; dots--) {
    const part = window.slice(0, dots);
    for (const [form, inRun] of texts) {
      if (form.startsWith(part)) return { from, to: from + dots, inRun };
    }
  }
}

/** Digits beside a run may hold bits of what is in it; padding belongs to it. */
function withNeighbours(
  text: string,
  { from, to }: Range,
): [from: number, to: number] {
  const start = from > 0 && DIGIT.test(text[from - 1]!) ? from - 1 : from;
  let end = to < text.length && DIGIT.test(text[to]!) ? to + 1 : to;
  for (let more = 0; more < 6 && text[end] === "="; more++) end++;
  return [start, end];
}

const NOT_ASCII = /[^\0-\x7f]/;
const DIGIT = /[A-Za-z\d+/_-]/;

/** Escapes are printable ASCII; UTF-16 text has zeros, mail has line breaks. */
const LIKELY = Uint8Array.from(
  { length: 0x100 },
  (_, byte) =>
    byte >= 0x20 && byte < 0x7f || [0, 0x09, 0x0a, 0x0d].includes(byte) ? 1 : 0,
);
