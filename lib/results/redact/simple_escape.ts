import { BACKSLASH, LETTERS } from "./backslash.ts";
import { entityPoint, LONGEST_NAME } from "./entities.ts";
import { digitValue, isHex, isIntroducer, isWord } from "./escape_cursor.ts";

/** No escape begins here. */
const NONE = -2;
/** An escape that may be read in several ways, or is made of escapes. */
export const MANIFOLD = -3;

let end = 0;

/** Where the text goes on after the last escape that was read. */
export function simpleEnd(): number {
  return end;
}

/**
 * What the escape at `at` stands for, where there is but one way to read it; by
 * far most are of that kind. Negative when there is none, or `MANIFOLD`.
 */
export function simpleEscape(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (isIntroducer(next)) return isBarren(text, at + 1) ? NONE : MANIFOLD;
  switch (text[at]) {
    case "\\":
      return afterBackslash(next, at + 2);
    case "&":
      return reference(text, at + 1);
    case "%":
      return next === 0x75 ? MANIFOLD : byte(text, at);
    default:
      // A soft line break.
      return next === 0x0a || next === 0x0d ? MANIFOLD : byte(text, at);
  }
}

/** Introducers alone: too many of them to be escapes of escapes. */
function isBarren(text: string, at: number): boolean {
  for (let i = at - 1; i < at + 3; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BACKSLASH || !isIntroducer(unit)) return false;
  }
  return true;
}

function afterBackslash(letter: number, after: number): number {
  end = after;
  if (!isWord(letter)) return letter >= 0x20 && letter < 0x7f ? letter : NONE;
  return LETTERS[letter] ?? MANIFOLD;
}

function byte(text: string, at: number): number {
  const [high, low] = [text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  if (!isHex(high)) return NONE;
  if (!isHex(low)) return isIntroducer(low) ? MANIFOLD : NONE;
  end = at + 3;
  return unlessIntroducer(digitValue(high) * 16 + digitValue(low));
}

function reference(text: string, at: number): number {
  if (!isWord(text.charCodeAt(at))) return text[at] === "#" ? MANIFOLD : NONE;
  let stop = at + 1;
  while (stop - at < LONGEST_NAME && isWord(text.charCodeAt(stop))) stop++;
  if (text[stop] !== ";") {
    return isIntroducer(text.charCodeAt(stop)) ? MANIFOLD : NONE;
  }
  end = stop + 1;
  const point = entityPoint(text.slice(at, stop));
  return point === undefined ? NONE : unlessIntroducer(point);
}

function unlessIntroducer(unit: number): number {
  return isIntroducer(unit) ? MANIFOLD : unit;
}
