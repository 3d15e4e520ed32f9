import { Buffer, isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { utf8 } from "../../base/values/utf8.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { CapturedMessage } from "../../model/result/response.ts";
import { latin1 } from "../../wire/net/ascii.ts";
import { decodablePart } from "../../wire/http1/content.ts";

const decoder = new TextDecoder();

/** A longer body is decoded faster by `TextDecoder`. */
const SHORT_BODY = 256;

/**
 * A body as UTF-8 text. `TextDecoder` costs 0.35 us before its first byte, `utf8` 0.1:
 * 2 % of a request with a short response. Only `utf8` keeps a byte order mark, so
 * a body that may begin with one is left to the decoder.
 */
export function utf8Text(body: Uint8Array): string {
  return body.length > SHORT_BODY || body[0] === 0xef
    ? decoder.decode(body)
    : utf8(body, 0, body.length);
}

/**
 * Why `text`, which was read as UTF-8, is not what the body says: bytes that are
 * none have become U+FFFD (RFC 8259 section 8.1 takes no other encoding of JSON).
 */
export function notUtf8(text: string, body: Uint8Array): Failure | undefined {
  if (!text.includes("\ufffd") || isUtf8(body)) return undefined;
  const at = firstBad(text, body);
  const byte = body[at]!.toString(16).toUpperCase().padStart(2, "0");
  return {
    code: "encoding",
    message: `The body is not UTF-8, as JSON must be: byte ${at} is 0x${byte}`,
  };
}

/** Why JSON that could not be read as UTF-8 is in an encoding that JSON is not sent in. */
export function notJsonText(body: Uint8Array): Failure | undefined {
  // No JSON has a NUL in it, and the first character of each is one of ASCII.
  const isUtf16 = markOf(body) !== "utf-8" || body[0] === 0 || body[1] === 0;
  return isUtf16
    ? {
      code: "encoding",
      message: "The body is UTF-16, but JSON must be UTF-8",
    }
    : notUtf8(utf8Text(body), body);
}

/** The offset of the first byte that became U+FFFD without being it. */
function firstBad(text: string, body: Uint8Array): number {
  let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  let from = 0;
  for (;;) {
    const next = text.indexOf("\ufffd", from);
    at += Buffer.byteLength(text.slice(from, next));
    const sent = body[at] === 0xef && body[at + 1] === 0xbf &&
      body[at + 2] === 0xbd;
    if (!sent) return at;
    at += 3;
    from = next + 1;
  }
}

/**
 * A body in the encoding its `Content-Type` names (UTF-8 when it names none);
 * undefined when it is not text in that encoding.
 *
 * @param whole false for a beginning, which may end inside of a character
 */
export function declaredText(
  body: Uint8Array,
  contentType: string | undefined,
  whole = true,
): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")
    ?.[1];
  try {
    return new TextDecoder(charset ?? "utf-8", { fatal: true }).decode(
      body,
      { stream: !whole },
    );
  } catch {
    return undefined;
  }
}

/**
 * A body as text; undefined when it is none. Pages declare encodings that do not exist, and
 * none where they need one: a text that is not UTF-8 then is Latin-1.
 *
 * @param whole false for a beginning, which may end inside of a character
 */
export function readableText(
  body: Uint8Array,
  contentType: string | undefined,
  whole = true,
): string | undefined {
  return declaredText(body, contentType, whole) ??
    declaredText(body, `; charset=${markOf(body)}`, whole) ??
    (TEXT.test(contentType ?? "") ? latin1(body, 0, body.length) : undefined);
}

/** Media types of text. */
const TEXT = /^\s*text\/|[+/]xml\b/i;

/** A body as a trace holds it. */
export type CapturedBody = Pick<
  CapturedMessage,
  "body" | "body_encoding" | "body_bytes" | "body_truncated" | "body_sha256"
>;

/**
 * Characters that are handed over for redaction. Twice what is stored of it
 * then, so that a secret at the end of what is stored is found whole.
 */
export const MOST_CAPTURED: number = 128 * 1024;
/** No encoding needs more bytes for a character of UTF-16. */
const CHARACTER_BYTES = 4;
/** Bytes that a character of base64 holds. */
const BASE64_BYTES = 3 / 4;

interface Extent {
  /** There was more of the body. */
  readonly cut?: boolean;
  /** The part that there is was captured to its end. */
  readonly whole?: boolean;
}

/**
 * A text as a trace holds it.
 *
 * @param body_bytes its length on the wire
 */
export function captureText(text: string, body_bytes: number): CapturedBody {
  return text.length <= MOST_CAPTURED
    ? { body: text.toWellFormed(), body_bytes }
    : { body: text.slice(0, MOST_CAPTURED), body_bytes, body_truncated: true };
}

/**
 * A body as a trace holds it: text where it is text, else base64. What is
 * compressed is decompressed first: no secret could be found in it, and
 * everybody read it out. Where that cannot be done, its length and hash are all
 * that is kept.
 */
export function captureBody(
  body: Uint8Array,
  contentType: string | undefined,
  extent: Extent = {},
): CapturedBody {
  if (isGzip(body)) {
    const part = decodablePart(body, "gzip");
    return part && !isGzip(part) && !isCompressed(part)
      ? {
        ...plain(part, undefined, { ...extent, cut: true }),
        body_bytes: body.length,
      }
      : fingerprint(body);
  }
  const hidden = isCompressed(body) || saysCompressed(contentType) &&
      declaredText(body, contentType) === undefined;
  return hidden ? fingerprint(body) : plain(body, contentType, extent);
}

/** A body that is still in a content coding: what can be decoded of it. */
export function captureCoded(
  body: Uint8Array,
  contentType: string | undefined,
  encoding: string,
  whole = false,
): CapturedBody {
  const part = decodablePart(body, encoding);
  if (part) {
    const shown = captureBody(part, contentType, { cut: true, whole });
    return { ...shown, body_bytes: body.length };
  }
  // Servers write codings that do not exist, such as `none` or `utf-8`.
  return declaredText(body, contentType) === undefined
    ? fingerprint(body)
    : captureBody(body, contentType, { whole });
}

/** All that is kept of a body nothing can be found in. */
export function fingerprint(body: Uint8Array): CapturedBody {
  return { body_bytes: body.length, body_sha256: hash("sha256", body) };
}

function plain(
  bytes: Uint8Array,
  contentType: string | undefined,
  { cut = false, whole = false }: Extent,
): CapturedBody {
  const most = whole ? Infinity : MOST_CAPTURED;
  const text = isBinary(contentType)
    ? undefined
    : bodyText(bytes, contentType, cut, most);
  if (text !== undefined) {
    const long = text.length > most || bytes.length > most * CHARACTER_BYTES;
    return {
      body: text.slice(0, most),
      body_bytes: bytes.length,
      ...((long || cut) && { body_truncated: true }),
    };
  }
  const part = bytes.subarray(0, most * BASE64_BYTES);
  return {
    body: Buffer.from(part).toString("base64"),
    body_encoding: "base64",
    body_bytes: bytes.length,
    ...((part.length < bytes.length || cut) && { body_truncated: true }),
  };
}

function bodyText(
  bytes: Uint8Array,
  contentType: string | undefined,
  cut: boolean,
  most: number,
): string | undefined {
  const part = bytes.subarray(0, most * CHARACTER_BYTES);
  const whole = !cut && part.length === bytes.length;
  return readableText(part, contentType, whole);
}

/** WHATWG Encoding, section 6.1. */
function markOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function isBinary(contentType: string | undefined): boolean {
  return /^(image|audio|video|font)\/(?!svg)|octet-stream/i.test(
    contentType ?? "",
  );
}

/** How a compressed file begins. */
const MAGIC: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04], // ZIP, and what is made of it: JAR, DOCX, EPUB
  [0x28, 0xb5, 0x2f, 0xfd], // Zstandard
  [0xfd, 0x37, 0x7a, 0x58, 0x5a], // xz
  [0x42, 0x5a, 0x68], // bzip2
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x04, 0x22, 0x4d, 0x18], // LZ4
  [0x1f, 0x9d], // compress
  [0x1f, 0xa0],
  [0x52, 0x61, 0x72, 0x21], // RAR
];
const GZIP = [0x1f, 0x8b];

const TYPE =
  /[/+.-](?:g?zip|zstd|zstandard|bzip2?|xz|lzma|lz4|lzip|7z|rar|compress(?:ed)?|java-archive|brotli)\b|officedocument|opendocument/i;

function isGzip(body: Uint8Array): boolean {
  return begins(body, GZIP);
}

/** Whether a body is a compressed file that is not gzip. */
function isCompressed(body: Uint8Array): boolean {
  return MAGIC.some((magic) => begins(body, magic));
}

/** Whether a media type is one of compressed files. */
function saysCompressed(contentType: string | undefined): boolean {
  return TYPE.test(contentType ?? "");
}

function begins(body: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => body[at] === byte);
}
