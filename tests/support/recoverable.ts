import { Buffer } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";
import { characterEntities } from "character-entities";

/*
 * What a reader with ordinary tools can make of a text. Written without the
 * program's own decoders, to hold them to it.
 */

const LETTERS: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" },
};
const character = (digits: string, radix: number) => {
  const point = parseInt(digits, radix);
  return point <= 0x10ffff ? String.fromCodePoint(point) : "";
};
const hexBytes = (text: string) =>
  Buffer.from(text.replaceAll(/[^0-9a-f]/gi, ""), "hex");

const UNESCAPERS: readonly ((text: string) => string)[] = [
  (text) =>
    text.replaceAll("+", " ").replaceAll(
      /(?:%[0-9a-f]{2})+/gi,
      (each) => hexBytes(each).toString(),
    ),
  (text) =>
    text.replaceAll(
      /(?:%[0-9a-f]{2})+/gi,
      (each) => hexBytes(each).toString(),
    ),
  (text) =>
    text.replaceAll(
      /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-7]{3})|([^]))/gi,
      (_, unit, point, byte, octal, other) =>
        unit || point || byte
          ? character(unit ?? point ?? byte, 16)
          : octal
          ? character(octal, 8)
          : LETTERS[other] ?? other,
    ),
  (text) =>
    text.replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
      (all, decimal, hex, name) =>
        decimal || hex
          ? character(decimal ?? hex, decimal ? 10 : 16)
          : Object.hasOwn(characterEntities, name)
          ? characterEntities[name]!
          : all,
    ),
  (text) =>
    text.replaceAll(/=\r?\n/g, "").replaceAll(
      /(?:=[0-9A-F]{2})+/g,
      (each) => hexBytes(each).toString(),
    ),
  // CSS, and `escape` of JavaScript.
  (text) =>
    text.replaceAll(
      /\\(?:([0-9a-f]{1,6}) ?|([^]))/gi,
      (_, digits, other) => digits ? character(digits, 16) : other,
    ),
  (text) =>
    text.replaceAll(
      /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi,
      (_, unit, byte) => character(unit ?? byte, 16),
    ),
  // Bytes read one to a character.
  (text) => Buffer.from(text, "latin1").toString(),
  (text) => text.replaceAll("\0", ""),
  ...[0, 1].map((skip) => (text: string) =>
    Buffer.from(text, "latin1").subarray(skip).toString("utf16le")
  ),
  ...[0, 1].map((skip) => (text: string) => {
    const bytes = Buffer.from(text, "latin1").subarray(skip);
    return bytes.subarray(0, bytes.length & ~1).swap16().toString("utf16le");
  }),
];

function* decodedRuns(text: string): Generator<string> {
  for (const bytes of decodedBytes(text)) {
    yield bytes.toString("latin1");
    for (const inflate of [gunzipSync, inflateSync]) {
      try {
        yield inflate(bytes).toString("latin1");
      } catch {
        // It is not compressed.
      }
    }
  }
}

function* decodedBytes(text: string): Generator<Buffer> {
  for (const [run] of text.matchAll(/[\w+/-][\w+/\-\r\n]{5,}/g)) {
    const digits = run.replaceAll(/[\r\n]/g, "");
    for (const skip of [0, 1, 2, 3]) {
      yield Buffer.from(digits.slice(skip), "base64");
    }
  }
  const pairs =
    /(?:(?:0x)?[0-9a-f]{2}(,? |[:\-]?))(?:(?:0x)?[0-9a-f]{2}\1)+(?:0x)?[0-9a-f]{2}/gi;
  for (const [run] of text.matchAll(pairs)) {
    const digits = run.replaceAll("0x", "");
    yield hexBytes(digits);
    yield hexBytes(digits.slice(1));
  }
  for (const [run] of text.matchAll(/[a-z2-7]{12,}/gi)) {
    for (const skip of [0, 1, 2, 3, 4, 5, 6, 7]) yield base32(run.slice(skip));
  }
  for (const [run] of text.matchAll(/\d{1,3}(?:, ?\d{1,3}){3,}/g)) {
    yield Buffer.from(run.split(",").map(Number));
  }
}

function base32(digits: string): Buffer {
  const bits = [...digits.toLowerCase()].map((digit) =>
    "abcdefghijklmnopqrstuvwxyz234567".indexOf(digit).toString(2)
      .padStart(5, "0")
  ).join("");
  return Buffer.from(
    (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)),
  );
}

/** Everything that can be read out of a text by taking `depth` encodings off. */
export function* recoverable(
  text: string,
  depth: number,
  seen: Map<string, number> = new Map(),
): Generator<string> {
  if ((seen.get(text) ?? -1) >= depth) return;
  if (!seen.has(text)) yield text;
  seen.set(text, depth);
  if (depth === 0) return;
  for (const unescape of UNESCAPERS) {
    yield* recoverable(unescape(text), depth - 1, seen);
  }
  for (const plain of decodedRuns(text)) {
    yield* recoverable(plain, depth - 1, seen);
  }
}

/**
 * A piece of one of the secrets, `least` characters long, that can be read out
 * of `text` in any letter case; undefined when there is none.
 */
export function readable(
  secrets: readonly string[],
  text: string,
  least: number,
  depth = 2,
): string | undefined {
  const pieces = new Set(
    secrets.flatMap((secret) => [secret, secret.toUpperCase()]).flatMap((
      secret,
    ) =>
      Array.from(
        { length: Math.max(1, secret.length - least + 1) },
        (_, at) => secret.slice(at, at + least).toLowerCase(),
      )
    ),
  );
  for (const plain of recoverable(text, depth)) {
    const lower = plain.toLowerCase();
    for (const piece of pieces) if (lower.includes(piece)) return piece;
  }
}
