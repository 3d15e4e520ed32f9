import { unescaped } from "./unescaped.ts";

/** Shorter values are redacted only where they are a whole value. */
export const SHORT = 4;
/** A shorter piece of encoded text stands in many others. */
const SHORTEST_RUN = 6;
/** Bytes of the shortest key that is written in base64. */
const LEAST_KEY = 8;

const UTF8 = new TextEncoder();
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** One of the texts by which a secret is found. */
export interface SecretForm {
  readonly text: string;
  /** A part of a run of digits: those beside it may hold bits of the secret. */
  readonly inRun: boolean;
}

/**
 * The text with what is alike made equal, character by character: letter case, and
 * the plus that forms write for a space.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  // One letter becomes two in lower case.
  const even = lower.length === text.length
    ? lower
    : text.replaceAll("\u0130", "I").toLowerCase();
  return even.replaceAll("\u03c2", "\u03c3").replaceAll("+", " ");
}

/**
 * The forms of a secret that can be computed beforehand: as it is, as a
 * URL, a form, JSON, HTML or a host name writes it, in base64, base32 and
 * hexadecimal digits, as bytes read one a character, and decoded once more where
 * it looks encoded itself.
 */
export function formsOf(value: string): SecretForm[] {
  const text = value.toWellFormed();
  const bytes = UTF8.encode(text);
  const meant = meantBytes(value);
  const plain = [
    value.trim(),
    // Some letters become two.
    value.toUpperCase(),
    value.toLowerCase(),
    value.replaceAll("\r\n", "\n"),
    // Base64 is sent without its padding where a protocol says so.
    value.replace(/=+$/, ""),
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    inUrl(text),
    JSON.stringify(value).slice(1, -1),
    inHtml(value),
    hostName(value),
    urlName(value),
    ...withExponent(value),
    ...[value, ...latinOf(bytes, text)].flatMap((each) => [
      each,
      ...plainer(each),
    ]),
  ];
  return [
    ...plain.filter((each) => each.length >= SHORT)
      .map((each) => ({ text: each, inRun: false })),
    ...[bytes, ...meant].flatMap(runsOf),
  ];
}

/** As a path shows it: only what is not allowed there is encoded. */
function inUrl(text: string): string {
  return encodeURI(text).replaceAll(
    /%5b|%5d|[?#]/gi,
    (each) => each === "?" ? "%3F" : each === "#" ? "%23" : each,
  );
}

function inHtml(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (each) => names[each]!);
}

/** As a URL shows a host: in ASCII, an address in its one spelling. */
function hostName(value: string): string {
  return /^[\p{L}\p{N}\p{M}._-]+$/u.test(value)
    ? URL.parse(`http://${value}/`)?.hostname ?? ""
    : "";
}

/** As a URL is shown that was read and written again: its host and port in one spelling. */
function urlName(value: string): string {
  const url = /^(?:https?|wss?):\/\//i.test(value.trim()) && URL.parse(value);
  return url ? url.href.replace(/\/$/, "") : "";
}

/** As JSON may write a number that is a secret: `9.8765e+4`. */
function withExponent(value: string): string[] {
  const digits = /^[1-9]\d*$/.test(value) ? value.replace(/0+$/, "") : "";
  if (digits.length < SHORT) return [];
  const exponent = String(value.length - 1);
  return [`e+${exponent}`, `e${exponent}`, `e+${exponent.padStart(2, "0")}`]
    .map((each) => `${digits[0]}.${digits.slice(1)}${each}`);
}

/** Bytes of UTF-8 and UTF-16 read one a character, without zeros. */
function latinOf(utf8: Uint8Array, text: string): string[] {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return [];
  const pairs = text.split("").map((each) => each.charCodeAt(0))
    .map((unit) => [unit & 0xff, unit >> 8]);
  const latin = (codes: readonly number[]) =>
    String.fromCharCode(...codes.filter((code) => code !== 0));
  return [
    latin([...utf8]),
    latin(pairs.flat()),
    latin(pairs.flatMap(([low, high]) => [high!, low!])),
  ];
}

/** The text it becomes when it is decoded as if it were encoded. */
function plainer(value: string): string[] {
  const found: string[] = [];
  for (let text = value; found.length < 4;) {
    const next = unescaped(text);
    if (next === text) break;
    found.push(text = next);
  }
  return found;
}

/**
 * The bytes that a secret in base64 or hexadecimal digits stands for. A word that
 * is base64 by chance has none: with `client1` its beginning `client` would go too.
 */
function meantBytes(value: string): Uint8Array[] {
  const text = value.trim();
  const found: Uint8Array[] = [];
  try {
    if (/^[\w+/-]+={0,2}$/.test(text)) {
      const digits = text.replaceAll("-", "+").replaceAll("_", "/")
        .replace(/=+$/, "");
      const bytes = Uint8Array.fromBase64(digits);
      const isWritten = bytes.toBase64({ omitPadding: true }) === digits;
      if (isWritten && bytes.length >= LEAST_KEY) found.push(bytes);
    }
  } catch {
    // It is no base64.
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) found.push(Uint8Array.fromHex(text));
  return found.filter((bytes) =>
    bytes.length >= SHORT && new Set(bytes).size >= SHORT - 1
  );
}

/** Bytes in digits, wherever in a longer run they begin. */
function runsOf(bytes: Uint8Array): SecretForm[] {
  const hex = bytes.toHex();
  const found = [hex, hex.replaceAll(/..(?!$)/g, "$&:")];
  for (let before = 0; before < 3; before++) {
    const run = inside(bytes, before, 6, (all) => all.toBase64());
    found.push(run, run.replaceAll("+", "-").replaceAll("/", "_"));
  }
  for (let before = 0; before < 5; before++) {
    found.push(inside(bytes, before, 5, toBase32));
  }
  return found.filter((each) => each.length >= SHORTEST_RUN)
    .map((text) => ({ text, inRun: true }));
}

/** The digits that hold bits of `bytes` alone, so many bytes after the first digit. */
function inside(
  bytes: Uint8Array,
  before: number,
  bits: number,
  encode: (bytes: Uint8Array) => string,
): string {
  const all = new Uint8Array(before + bytes.length);
  all.set(bytes, before);
  return encode(all).slice(
    Math.ceil(before * 8 / bits),
    Math.floor(all.length * 8 / bits),
  );
}

function toBase32(bytes: Uint8Array): string {
  let [out, held, count] = ["", 0, 0];
  for (const byte of bytes) {
    held = (held << 8 | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) {
      out += BASE32[held >> (count - 5) & 31];
    }
  }
  return out + (count > 0 ? BASE32[held << (5 - count) & 31] : "");
}
