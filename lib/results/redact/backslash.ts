import {
  digitValue,
  type EscapeCursor,
  isIntroducer,
  isOctal,
  isWord,
  NOTHING,
} from "./escape_cursor.ts";

export const BACKSLASH = 0x5c;

/** A row of more backslashes is read in parts. */
export const MOST_SLASHES = 64;
/** Escapes inside of a row are looked for in one that is no longer. */
const SHORT_ROW = 3;

/** What a letter after a backslash stands for, by its code. */
export const LETTERS: readonly (number | undefined)[] = Object.entries(
  { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 },
).reduce<number[]>((all, [letter, unit]) => {
  all[letter.charCodeAt(0)] = unit;
  return all;
}, []);

/**
 * Reads `\u0041`, `\u{41}`, `\U00000041`, `\x41`, `\101`, `\n` and `\"`.
 *
 * JSON in JSON doubles the backslashes with every layer, so that a row of them
 * may be one or several, or belong to what follows.
 *
 * @param cursor after the first backslash
 */
export function readBackslash(cursor: EscapeCursor, out: number[]): void {
  const { text, at, nesting } = cursor;
  if (nesting === 0) {
    return readLetter(text.charCodeAt(at), cursor, at + 1, out);
  }
  let end = at;
  while (text.charCodeAt(end) === BACKSLASH && end - at < MOST_SLASHES) end++;
  for (let size = 1; size < end - at; size *= 2) out.push(BACKSLASH, at + size);
  if (end > at) out.push(BACKSLASH, end);
  const letter = text.charCodeAt(end);
  readLetter(letter, cursor, end + 1, out);
  // What follows may be escaped itself: `\u005c\u0075`, `\=` and a line break.
  const escaped = isIntroducer(letter);
  if (!escaped && (end === at || end - at > SHORT_ROW)) return;
  const inner = cursor.escapes(escaped ? end : at);
  for (let i = 0; i < inner.length; i += 2) {
    const [unit, after] = [inner[i]!, inner[i + 1]!];
    if (unit === NOTHING) {
      readLetter(text.charCodeAt(after), cursor, after + 1, out);
    } else readLetter(unit, cursor, after, out);
  }
}

/** @param letter what follows the backslash, up to `at` */
function readLetter(
  letter: number,
  cursor: EscapeCursor,
  at: number,
  out: number[],
): void {
  const rest = cursor.from(at);
  if (letter === 0x78) add(rest.number(16, 2), rest, out);
  else if (letter === 0x55) add(rest.number(16, 8), rest, out);
  else if (letter === 0x75) {
    if (rest.take(isOpening) < 0) return add(rest.number(16, 4), rest, out);
    const point = rest.number(16, 1, 6);
    if (rest.take(isClosing) >= 0) add(point, rest, out);
  } else if (isOctal(letter)) readOctal(letter, rest, out);
  else if (isWord(letter)) add(LETTERS[letter] ?? -1, rest, out);
  else if (letter >= 0x20 && letter < 0x7f) out.push(letter, at);
}

/** One to three digits: those that follow may belong to the escape or not. */
function readOctal(first: number, rest: EscapeCursor, out: number[]): void {
  let value = digitValue(first);
  add(value, rest, out);
  for (let more = 0; more < 2; more++) {
    const digit = rest.take(isOctal);
    if (digit < 0) return;
    value = value * 8 + digitValue(digit);
    if (value <= 0xff) add(value, rest, out);
  }
}

function add(point: number, { at }: EscapeCursor, out: number[]): void {
  if (point >= 0 && point <= 0x10ffff) out.push(point, at);
}

function isOpening(unit: number): boolean {
  return unit === 0x7b;
}

function isClosing(unit: number): boolean {
  return unit === 0x7d;
}
