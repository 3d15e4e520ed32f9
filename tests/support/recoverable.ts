import { Buffer } from "node:buffer";
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
      /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{3})|([^]))/gi,
      (_, unit, byte, octal, other) =>
        unit || byte
          ? character(unit ?? byte, 16)
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
  for (const [run] of text.matchAll(/[\w+/-][\w+/\-\r\n]{5,}/g)) {
    const digits = run.replaceAll(/[\r\n]/g, "");
    for (const skip of [0, 1, 2, 3]) {
      yield Buffer.from(digits.slice(skip), "base64").toString("latin1");
    }
  }
  const pairs = /(?:[0-9a-f]{2}([:\- ]?))(?:[0-9a-f]{2}\1)+[0-9a-f]{2}/gi;
  for (const [run] of text.matchAll(pairs)) {
    yield hexBytes(run).toString("latin1");
    yield hexBytes(run.slice(1)).toString("latin1");
  }
}

/** Everything that can be read out of a text by taking `depth` encodings off. */
export function* recoverable(text: string, depth: number): Generator<string> {
  yield text;
  if (depth === 0) return;
  for (const unescape of UNESCAPERS) {
    const plain = unescape(text);
    if (plain !== text) yield* recoverable(plain, depth - 1);
  }
  for (const plain of decodedRuns(text)) yield* recoverable(plain, depth - 1);
}

/**
 * A piece of one of the secrets, `least` characters long, that can be read out
 * of `text`; undefined when there is none.
 */
export function readable(
  secrets: readonly string[],
  text: string,
  least: number,
  depth = 2,
): string | undefined {
  const pieces = secrets.flatMap((secret) =>
    Array.from(
      { length: Math.max(1, secret.length - least + 1) },
      (_, at) => secret.slice(at, at + least),
    )
  );
  for (const plain of new Set(recoverable(text, depth))) {
    const piece = pieces.find((each) => plain.includes(each));
    if (piece !== undefined) return piece;
  }
}
