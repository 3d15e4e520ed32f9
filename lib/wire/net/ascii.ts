import { Buffer } from "node:buffer";
import { shortened } from "../../base/text/display.ts";

/** 1 for the bytes of a field name: tchar (RFC 9110 section 5.6.2). */
export const NAME_BYTE = table((code) =>
  /[A-Za-z0-9!#$%&'*+.^_`|~-]/.test(String.fromCharCode(code))
);

/** 1 for the bytes of a field value: text, obs-text, SP and HTAB. */
export const VALUE_BYTE = table((code) =>
  code === 0x09 || (code >= 0x20 && code !== 0x7f)
);

/** The lower-case letter of an upper-case one; any other byte is itself. */
const LOWER = Uint8Array.from(
  { length: 256 },
  (_, code) => code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
);

export const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COLON = 0x3a;

/** Whether `bytes` from `start` to `end` spell `lower`, in any letter case. */
export function spells(
  bytes: Uint8Array,
  start: number,
  end: number,
  lower: string,
): boolean {
  if (end - start !== lower.length) return false;
  for (let index = 0; index < lower.length; index++) {
    if (LOWER[bytes[start + index]!] !== lower.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * Each byte as the character of its number. Not `TextDecoder("latin1")`, which
 * is windows-1252 in disguise (WHATWG Encoding) and changes 0x80 to 0x9f, and not
 * `String.fromCharCode`, which takes ten times as long for a few characters.
 */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return latin1Slice.call(bytes, start, end);
}

/**
 * The text of a field that came a byte a character: UTF-8 where it is that, as it is sent and as
 * servers write it, else Latin-1, as RFC 9110 section 5.5 had it once.
 */
export function fieldText(bytes: string): string {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  try {
    return UTF8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return bytes;
  }
}

const BEYOND_ASCII = /[\x80-\xff]/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Characters of what came that a message repeats. */
const EXCERPT = 40;

/** The beginning of a line that came, for a message, in quotes. */
export function excerpt(bytes: Uint8Array, start: number, end: number): string {
  const text = latin1(bytes, start, Math.min(end, start + EXCERPT + 1));
  return JSON.stringify(shortened(text, EXCERPT));
}

const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
};

function table(member: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => member(code) ? 1 : 0);
}
