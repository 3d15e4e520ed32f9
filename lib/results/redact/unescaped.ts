import { Buffer } from "node:buffer";
import { domainToUnicode } from "node:url";

/** Names of HTML character references, without `&` and `;`. */
let names: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

/** The same by their names in lower case. */
let lowerNames: ReadonlyMap<string, string> = new Map();

/**
 * Loads the names of HTML5, about 2,000. It takes 2 ms, so that it is left out
 * where there is nothing to look for; the few above are always known.
 */
export async function loadEntityNames(): Promise<void> {
  const { characterEntities } = await import("character-entities");
  names = characterEntities;
  // The last of a name wins: what is in lower case already.
  lowerNames = new Map(
    Object.entries(names).toSorted(([a], [b]) =>
      Number(a === a.toLowerCase()) - Number(b === b.toLowerCase())
    ).map(([name, text]) => [name.toLowerCase(), text]),
  );
}

/** The mark that a shortened text shows in place of the rest. */
export const ELLIPSIS = "\u2026";

/** The rest of an escape that was cut. */
const BROKEN =
  /(?:%(?:u[\da-fA-F]{0,3}|[\da-fA-F]?)|\\(?:[uU]\{[\da-fA-F]{0,6}|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|x[\da-fA-F]?|[0-7]{0,2})|&#?\w{0,31}|=[\da-fA-F]?|=\r)(?=\u2026)/g;

const ESCAPE =
  /%[uU][\da-fA-F]{4}|%[\da-fA-F]{2}|\\[uU]\{[\da-fA-F]{1,6}\}|\\U[\da-fA-F]{8}|\\[uU][\da-fA-F]{4}|\\[xX][\da-fA-F]{2}|\\[0-3]?[0-7]{1,2}|\\\r?\n|\\[^]|&#[xX][\da-fA-F]{1,6};?|&#\d{1,7};?|&[A-Za-z][A-Za-z\d]{1,31};/g;

const LETTERS: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", e: "\x1b", f: "\f" },
  ...{ n: "\n", r: "\r", t: "\t", v: "\v" },
};

/**
 * The text with every escape of URLs, of strings of JSON and C, and of HTML taken
 * off, once. Bytes become characters where they are UTF-8. The zeros that UTF-16
 * has when it is read as bytes go first.
 */
export function unescaped(text: string): string {
  if (text.includes("\0")) return text.replaceAll("\0", "");
  const whole = withoutBroken(text);
  return /[%\\&\x80-\xff]/.test(whole)
    ? asUtf8(whole.replaceAll(ESCAPE, meaning))
    : whole;
}

function withoutBroken(text: string): string {
  return text.includes(ELLIPSIS) ? text.replaceAll(BROKEN, "") : text;
}

function meaning(escape: string): string {
  const second = escape[1]!;
  switch (escape[0]) {
    case "%":
      return character(escape.slice(second.toLowerCase() === "u" ? 2 : 1), 16);
    case "&":
      return second === "#"
        ? /x/i.test(escape[2]!)
          ? character(escape.slice(3).replace(";", ""), 16)
          : character(escape.slice(2).replace(";", ""), 10)
        : named(escape.slice(1, -1)) ?? escape;
    case "\\":
      if (escape.length === 2 && !/[0-7]/.test(second)) {
        return second === "\n" ? "" : LETTERS[second.toLowerCase()] ?? second;
      }
      return /[0-7]/.test(second)
        ? character(escape.slice(1), 8)
        : character(escape.slice(2).replaceAll(/[{}]/g, ""), 16);
  }
  return escape;
}

/** Capitals of a text have capitals in the names too. */
function named(name: string): string | undefined {
  return Object.hasOwn(names, name)
    ? names[name]
    : lowerNames.get(name.toLowerCase());
}

function character(digits: string, radix: number): string {
  const point = parseInt(digits, radix);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

const UTF8 = new TextDecoder();
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Bytes that were read one a character, as the UTF-8 that they are. */
function asUtf8(text: string): string {
  return text.replaceAll(SEQUENCE, (bytes) => {
    const character = UTF8.decode(Buffer.from(bytes, "latin1"));
    return character.length > 2 ? bytes : character;
    // What a cut left of a character.
  }).replaceAll(/[\xc2-\xf4][\x80-\xbf]{0,2}(?=\u2026)/g, "");
}

/** A text with escapes taken off that are rarer, or may be something else. */
export function* otherwiseUnescaped(text: string): Generator<string> {
  yield unescapedCss(text);
  yield besidePercent(text);
  yield unquoted(text);
  // Beside `=` that is none of its escapes.
  if (text.includes("=")) yield text.replaceAll(/=(?:\r\n?|\n)/g, "");
  yield withoutPunycode(text);
  if (text.includes("+") && text.includes("%")) {
    yield text.replaceAll("+", " ");
  }
  if (!text.includes("\0")) return;
  for (const skip of [0, 1]) {
    const bytes = Buffer.from(text.slice(skip), "latin1");
    yield bytes.toString("utf16le");
    yield bytes.subarray(0, bytes.length & ~1).swap16().toString("utf16le");
  }
}

/** The same with the backslashes of CSS, whose digits go on up to six. */
function unescapedCss(text: string): string {
  if (!/\\[\da-f]/i.test(text)) return text;
  const whole = text.replaceAll(/\\[\da-f]{1,6}(?=\u2026)/gi, "");
  return whole.replaceAll(
    /\\(?:([\da-f]{1,6})[ \t\n\f]?|([^]))/gi,
    (_, digits, other) => digits ? character(digits, 16) : other,
  );
}

/** The same with percent signs that stand for themselves. */
function besidePercent(text: string): string {
  return /%[\da-f]/i.test(text) && /[\\&]/.test(text)
    ? asUtf8(
      withoutBroken(text).replaceAll(
        ESCAPE,
        (escape) => escape[0] === "%" ? escape : meaning(escape),
      ),
    )
    : text;
}

/** Quoted-printable (RFC 2045 section 6.7), in any letter case. */
function unquoted(text: string): string {
  const whole = withoutBroken(text);
  return /=(?:[\da-f]{2}|[\r\n])/i.test(whole)
    ? asUtf8(
      whole.replaceAll(
        /=(?:([\da-f]{2})|\r\n?|\n)/gi,
        (_, digits) => digits ? character(digits, 16) : "",
      ),
    )
    : whole;
}

/** Labels of host names in punycode (RFC 5890 section 2.3.2.1) as what they stand for. */
function withoutPunycode(text: string): string {
  return text.includes("xn--")
    ? text.replaceAll(/xn--[a-z0-9-]+/gi, (label) => domainToUnicode(label))
    : text;
}
