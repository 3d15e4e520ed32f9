/** Bytes that a run of digits decodes to, one a character. */
export interface Stretch {
  readonly text: string;
  /** Nothing that was decoded comes before it, or after. */
  readonly first: boolean;
  readonly last: boolean;
  /** The digits that hold any bit of these characters: [from, to). */
  digits(start: number, end: number): [from: number, to: number];
}

/**
 * What base64 digits are worth, of both alphabets (RFC 4648 sections 4 and 5), by
 * ASCII code; -1 for other characters.
 */
export const BASE64 = valuesOf(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  "-_",
);
/** Hexadecimal digits likewise. */
export const HEX = valuesOf("0123456789abcdef", "ABCDEF");

/** @param others more spellings of the last digits */
function valuesOf(digits: string, others: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  const set = (text: string, from: number) => {
    for (let i = 0; i < text.length; i++) values[text.charCodeAt(i)] = from + i;
  };
  set(digits, 0);
  set(others, digits.length - others.length);
  return values;
}

/** What may be between digits: line breaks, a space, a colon. */
const BETWEEN: readonly number[] = [0x0a, 0x0d, 0x20, 0x3a];

/** By byte, 1 for what encoded text consists of: digits and what is between. */
export const DIGIT_BYTES = Uint8Array.from(
  { length: 0x100 },
  (_, byte) => BASE64[byte]! >= 0 || BETWEEN.includes(byte) ? 1 : 0,
);

/** Bytes as text, one a character. */
export function textOf(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** So many arguments fit into one call. */
const CHUNK = 0x2000;
