import { isUtf8 } from "node:buffer";
import type { JsonValue } from "./json.ts";
import { isDigit } from "./json_walk.ts";
import { readJson } from "./read_json.ts";
import { utf8 } from "./utf8.ts";

/** Something that is looked for, or that is on the way to it. */
class Place {
  /** Its number among the values that are looked for; -1 where it is only on the way. */
  number = -1;
  /** The search that came by last. */
  seen = 0;
  readonly names: { readonly name: Uint8Array; readonly place: Place }[] = [];
  readonly items: { readonly index: number; readonly place: Place }[] = [];

  /** The place below this one; made when there is none. */
  below(key: string | number): Place {
    const known = typeof key === "number"
      ? this.items.find(({ index }) => index === key)
      : this.named(encoder.encode(key));
    if (known) return known instanceof Place ? known : known.place;
    const place = new Place();
    if (typeof key === "number") this.items.push({ index: key, place });
    else this.names.push({ name: encoder.encode(key), place });
    return place;
  }

  named(name: Uint8Array): Place | undefined {
    return this.names.find((each) =>
      name.length === each.name.length && isAt(name, 0, each.name)
    )?.place;
  }
}

const encoder = new TextEncoder();

/** Whether these bytes begin at `at`. */
function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, MINUS, PLUS, POINT, ZERO] = [0x20, 0x2d, 0x2b, 0x2e, 0x30];
const [SMALL_E, SMALL_U] = [0x65, 0x75];
const WORDS = ["true", "false", "null"].map((each) => encoder.encode(each));
/** The characters behind a backslash (RFC 8259 section 7). */
const ESCAPED = Uint8Array.from(
  { length: 256 },
  (_, code) => '"\\/bfnrtu'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Containers inside of one another: their kinds are the bits of a number. */
const DEEPEST = 31;

/**
 * Finds values in JSON texts (RFC 8259) by the names and indexes that lead to them, and
 * makes nothing of the rest of a text. The rest is checked all the same: what is found
 * is what `readJson` has at that place, the last one of equal names.
 */
export class JsonSearch {
  readonly #root = new Place();
  /** By number, where each value is; -1 where it was not found. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Who had the last text searched, and whether it could be. */
  by: object | undefined;
  finds = false;
  #bytes: Uint8Array = new Uint8Array(0);
  #searches = 0;
  /** The place of the value that comes next. */
  #place: Place | undefined;
  /** Of the containers that are open: their places, and how many values came in each. */
  readonly #open: (Place | undefined)[] = [];
  readonly #counts: number[] = [];

  /** Looks for one more value, or for one that is known; returns its number. */
  add(keys: readonly (string | number)[]): number {
    let place = this.#root;
    for (const key of keys) place = place.below(key);
    if (place.number < 0) place.number = this.#starts.push(-1) - 1;
    return place.number;
  }

  /**
   * Looks for all of them. False for a text that is no JSON in UTF-8, and for one that is
   * neither an object nor a list, or nested too deep: that is left to `readJson`.
   *
   * @param bytes hold until the values were asked for; the text is a part of them
   * @param by whose text it is
   */
  search(bytes: Uint8Array, start: number, end: number, by: object): boolean {
    this.by = by;
    this.#bytes = bytes;
    this.#searches++;
    for (let number = 0; number < this.#starts.length; number++) {
      this.#starts[number] = -1;
    }
    this.#place = this.#root;
    wide = false;
    const first = afterSpace(bytes, start);
    const isRead = bytes[first] === OBJECT || bytes[first] === LIST;
    const last = isRead ? this.#container(first) : -1;
    // What lies behind the text may be read, but then its end is passed.
    this.finds = last >= 0 && last <= end && isSpace(bytes, last, end) &&
      (!wide || isUtf8(bytes.subarray(start, end)));
    return this.finds;
  }

  /** The value of this number in the text that was searched last; undefined without one. */
  value(number: number): JsonValue | undefined {
    const start = this.#starts[number]!;
    if (start < 0) return undefined;
    const end = this.#ends[number]!;
    const whole = shortInteger(this.#bytes, start, end);
    return whole >= 0 ? whole : readJson(utf8(this.#bytes, start, end));
  }

  /** Reads a container with all that is in it; where it ends, or -1. */
  #container(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    let depth = 0;
    // The innermost container is the lowest bit: 1 for a list.
    let lists = 0;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === OBJECT || byte === LIST) {
        if (depth === DEEPEST) return -1;
        this.#found(at);
        this.#open[depth] = this.#place;
        this.#counts[depth++] = 0;
        lists = (lists << 1) | (byte === LIST ? 1 : 0);
        at = afterSpace(bytes, at + 1);
        if (bytes[at] !== (byte === LIST ? LIST_END : OBJECT_END)) {
          at = this.#enter(at, depth - 1, lists);
          if (at < 0) return -1;
          continue;
        }
      } else {
        const end = scalarEnd(bytes, at);
        if (end < 0) return -1;
        this.#found(at, end);
        at = afterSpace(bytes, end);
      }
      while (bytes[at] !== COMMA) {
        if (bytes[at] !== ((lists & 1) === 1 ? LIST_END : OBJECT_END)) {
          return -1;
        }
        this.#close(--depth, at + 1);
        lists >>>= 1;
        if (depth === 0) return at + 1;
        at = afterSpace(bytes, at + 1);
      }
      at = this.#enter(afterSpace(bytes, at + 1), depth - 1, lists);
      if (at < 0) return -1;
    }
  }

  /** Goes to the next value of the innermost container; where it begins, or -1. */
  #enter(at: number, depth: number, lists: number): number {
    const place = this.#open[depth];
    if ((lists & 1) === 0) return this.#key(at, place);
    this.#place = undefined;
    if (!place) return at;
    const index = this.#counts[depth]!++;
    for (let nth = 0; nth < place.items.length; nth++) {
      const each = place.items[nth]!;
      if (each.index === index) this.#visit(each.place);
    }
    return at;
  }

  /** Reads a name and its colon. */
  #key(start: number, place: Place | undefined): number {
    const bytes = this.#bytes;
    if (bytes[start] !== QUOTE) return -1;
    escapes = false;
    const end = stringEnd(bytes, start);
    if (end < 0) return -1;
    this.#place = undefined;
    if (place && place.names.length > 0) this.#name(start, end, place);
    const colon = afterSpace(bytes, end);
    return bytes[colon] === COLON ? afterSpace(bytes, colon + 1) : -1;
  }

  #name(start: number, end: number, place: Place): void {
    const bytes = this.#bytes;
    if (escapes) {
      const name = JSON.parse(utf8(bytes, start, end)) as string;
      const named = place.named(encoder.encode(name));
      if (named) this.#visit(named);
      return;
    }
    const length = end - start - 2;
    for (let nth = 0; nth < place.names.length; nth++) {
      const each = place.names[nth]!;
      const { name } = each;
      if (name.length === length && isAt(bytes, start + 1, name)) {
        return this.#visit(each.place);
      }
    }
  }

  /** The value of a place comes next. Another one of the same name is forgotten. */
  #visit(place: Place): void {
    if (place.seen === this.#searches) this.#forget(place);
    place.seen = this.#searches;
    this.#place = place;
  }

  #forget(place: Place): void {
    if (place.number >= 0) this.#starts[place.number] = -1;
    for (const { place: below } of place.names) this.#forget(below);
    for (const { place: below } of place.items) this.#forget(below);
  }

  #found(start: number, end = -1): void {
    const place = this.#place;
    if (!place || place.number < 0) return;
    this.#starts[place.number] = start;
    this.#ends[place.number] = end;
  }

  #close(depth: number, end: number): void {
    const place = this.#open[depth];
    if (place && place.number >= 0) this.#ends[place.number] = end;
  }
}

/** A string that was read has a byte that is not ASCII, or an escape. */
let wide = false;
let escapes = false;

function scalarEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte === QUOTE) return stringEnd(bytes, at);
  if (byte === MINUS || isDigit(byte)) return numberEnd(bytes, at);
  for (let nth = 0; nth < WORDS.length; nth++) {
    const word = WORDS[nth]!;
    if (isAt(bytes, at, word)) return at + word.length;
  }
  return -1;
}

/** RFC 8259 section 7. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1;; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    // Control characters, and nothing behind the last byte.
    if (!(byte >= SPACE)) return -1;
    if (byte >= 0x80) wide = true;
    else if (byte === BACKSLASH) {
      escapes = true;
      const escaped = bytes[++at]!;
      if (ESCAPED[escaped] !== 1) return -1;
      if (escaped !== SMALL_U) continue;
      for (const end = at + 4; at < end;) {
        if (!isHex(bytes[++at]!)) return -1;
      }
    }
  }
}

function isSpace(bytes: Uint8Array, start: number, end: number): boolean {
  return start === end || afterSpace(bytes, start) >= end;
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;; at++) {
    const byte = bytes[at]!;
    if (
      byte > SPACE ||
      !(byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)
    ) {
      return at;
    }
  }
}

/** RFC 8259 section 6. */
function numberEnd(bytes: Uint8Array, start: number): number {
  const whole = bytes[start] === MINUS ? start + 1 : start;
  let end = bytes[whole] === ZERO ? whole + 1 : afterDigits(bytes, whole);
  if (end === whole) return -1;
  if (bytes[end] === POINT) {
    const fraction = end + 1;
    end = afterDigits(bytes, fraction);
    if (end === fraction) return -1;
  }
  if ((bytes[end]! | 0x20) !== SMALL_E) return end;
  const sign = bytes[end + 1];
  const exponent = end + (sign === PLUS || sign === MINUS ? 2 : 1);
  const last = afterDigits(bytes, exponent);
  return last === exponent ? -1 : last;
}

/** A number of 1 to 9 digits, without making text of it; -1 for any other value. */
function shortInteger(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 9) return -1;
  let number = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return -1;
    number = number * 10 + bytes[at]! - ZERO;
  }
  return number;
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at]!)) at++;
  return at;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
