import { Buffer, isUtf8 } from "node:buffer";
import type { Failure } from "../../model/result/failure.ts";

const decoder = new TextDecoder();

/** A longer body is decoded faster by `TextDecoder`. */
const SHORT_BODY = 256;

/**
 * A body as UTF-8 text. `TextDecoder` costs 0.35 us before its first byte, Buffer 0.1:
 * 2 % of a request with a short response. Only Buffer keeps a byte order mark, so
 * a body that may begin with one is left to the decoder.
 */
export function utf8Text(body: Uint8Array): string {
  return body.length > SHORT_BODY || body[0] === 0xef
    ? decoder.decode(body)
    : utf8Slice.call(body, 0, body.length);
}

const { utf8Slice } = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, start: number, end: number): string;
};

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
