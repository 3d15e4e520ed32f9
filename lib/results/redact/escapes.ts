import { BACKSLASH, readBackslash } from "./backslash.ts";
import { entityPoint, LONGEST_NAME } from "./entities.ts";
import {
  EscapeCursor,
  isIntroducer,
  isWord,
  NOTHING,
} from "./escape_cursor.ts";
import { MANIFOLD, simpleEnd, simpleEscape } from "./simple_escape.ts";

/** How deep escapes may be nested. */
const NESTING = 3;
/** More readings of one position than these are not looked at: two numbers each. */
const MOST = 24;

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/**
 * Reads the escapes that serializers, URLs, markup and mail write: `%41`,
 * `%u0041`, those that begin with a backslash, `&amp;`, `&#65;`, `&#x41;`, `=41`
 * and a soft line break. An escape may be made of escapes: `%2541`, `&amp;lt;`,
 * `\\u0041`, `\u0026#65;`.
 *
 * For every way to read the escape that begins at `at`, `out` gets two numbers:
 * what it stands for, a code point, a byte or `NOTHING`, and where the text goes
 * on after it. Nothing is added when no escape is there.
 */
export function readEscapes(
  text: string,
  at: number,
  out: number[],
  nesting: number = NESTING,
): void {
  const simple = simpleEscape(text, at);
  if (simple >= 0) out.push(simple, simpleEnd());
  if (simple !== MANIFOLD) return;
  const from = out.length;
  readBody(text.charCodeAt(at), text, at + 1, nesting - 1, out);
  if (nesting === 1) return;
  // An introducer that was escaped begins an escape of its own.
  for (let i = from; i < out.length && out.length - from < MOST; i += 2) {
    const [unit, end] = [out[i]!, out[i + 1]!];
    // What follows a row of backslashes has been read with all of them.
    if (!isIntroducer(unit) || text.charCodeAt(end - 1) === BACKSLASH) continue;
    readBody(unit, text, end, nesting - 1, out);
  }
}

/** @param at where the text goes on after the introducer */
function readBody(
  introducer: number,
  text: string,
  at: number,
  nesting: number,
  out: number[],
): void {
  const cursor = new EscapeCursor(text, at, nesting, readEscapes);
  if (introducer === BACKSLASH) readBackslash(cursor, out);
  else if (introducer === PERCENT) readPercent(cursor, out);
  else if (introducer === AMPERSAND) readReference(cursor, out);
  else if (introducer === EQUALS) readQuoted(cursor, out);
}

function readPercent(cursor: EscapeCursor, out: number[]): void {
  const unit = cursor.take(is("u")) >= 0
    ? cursor.number(16, 4)
    : cursor.number(16, 2);
  if (unit >= 0) out.push(unit, cursor.at);
}

/** RFC 2045 section 6.7. */
function readQuoted(cursor: EscapeCursor, out: number[]): void {
  const line = cursor.from(cursor.at);
  const byte = cursor.number(16, 2);
  if (byte >= 0) out.push(byte, cursor.at);
  // A reader that changes line ends may have left one of the two.
  line.take(is("\r"));
  if (line.take(is("\n")) >= 0) out.push(NOTHING, line.at);
}

/** A character reference of HTML. */
function readReference(cursor: EscapeCursor, out: number[]): void {
  if (cursor.take(is("#")) >= 0) {
    const point = cursor.take(isX) >= 0
      ? cursor.number(16, 1, 6)
      : cursor.number(10, 1, 7);
    // Readers of HTML forgive a missing semicolon.
    cursor.take(is(";"));
    if (point >= 0 && point <= 0x10ffff) out.push(point, cursor.at);
    return;
  }
  let name = "";
  while (name.length < LONGEST_NAME) {
    const letter = cursor.take(isWord);
    if (letter < 0) break;
    name += String.fromCharCode(letter);
  }
  if (cursor.take(is(";")) < 0) return;
  const point = entityPoint(name);
  if (point !== undefined) out.push(point, cursor.at);
}

function is(character: string): (unit: number) => boolean {
  const code = character.charCodeAt(0);
  return (unit) => unit === code;
}

function isX(unit: number): boolean {
  return (unit | 0x20) === 0x78;
}
