import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";

/** Bytes a body may decode to; the same as may arrive unencoded. */
export const MAX_DECODED_BYTES = 16 * 1024 * 1024;

/** Codings that may be stacked in one `Content-Encoding`. */
const MAX_CODINGS = 4;

/** A body that its `Content-Encoding` does not describe. */
export class ContentError extends Error {
  override readonly name = "ContentError";

  /** @param code `content-encoding`, or `too-large` for a bomb */
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/**
 * Takes the content codings off a body (RFC 9110 section 8.4.1): `gzip`,
 * `x-gzip`, `deflate` (with the zlib wrapper or, as some servers send it,
 * without) and `br`; several are taken off last to first.
 *
 * A body that has no coding is returned as it is, not copied.
 *
 * @param encoding the value of `Content-Encoding`
 * @throws {ContentError} for an unknown coding, bytes that are not in it, or
 *   more than 16 MiB of output
 */
export function decodeContent(
  body: Uint8Array,
  encoding: string | undefined,
): Uint8Array {
  if (encoding === undefined || body.length === 0) return body;
  const codings = encoding.toLowerCase().split(",").map((each) => each.trim())
    .filter((each) => each !== "" && each !== "identity");
  if (codings.length > MAX_CODINGS) {
    throw new ContentError(
      "content-encoding",
      `\`${codings.length}\` content codings are stacked: at most ${MAX_CODINGS} are taken off`,
    );
  }
  for (const coding of codings.reverse()) body = decode(body, coding);
  return body;
}

const LIMIT = { maxOutputLength: MAX_DECODED_BYTES };

function decode(body: Uint8Array, coding: string): Uint8Array {
  try {
    switch (coding) {
      case "gzip":
      case "x-gzip":
        return zlib.gunzipSync(body, LIMIT);
      case "deflate":
        return hasZlibHeader(body)
          ? zlib.inflateSync(body, LIMIT)
          : zlib.inflateRawSync(body, LIMIT);
      case "br":
        return unbrotli(body);
    }
  } catch (error) {
    throw decodeError(error, coding);
  }
  throw new ContentError(
    "content-encoding",
    `\`${coding}\` is not a content coding that can be decoded: expected gzip, deflate or br`,
  );
}

/**
 * Deno 2.9's `brotliDecompressSync` does not throw: it gives back what it could
 * decode before the mistake. Nothing from more than an empty stream is told
 * here; data that breaks off later is not noticed.
 */
function unbrotli(body: Uint8Array): Uint8Array {
  const plain = zlib.brotliDecompressSync(Buffer.from(body), LIMIT);
  if (plain.length === 0 && body.length > MAX_EMPTY_BROTLI) {
    throw new Error("invalid data");
  }
  return plain;
}

/** Window size and an empty last meta-block (RFC 7932 section 9.1). */
const MAX_EMPTY_BROTLI = 3;

/** CMF and FLG of RFC 1950 section 2.2: method 8, and a multiple of 31. */
function hasZlibHeader(body: Uint8Array): boolean {
  if (body.length < 2) return false;
  return (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;
}

function decodeError(error: unknown, coding: string): ContentError {
  const { code, message } = error as { code?: string; message?: string };
  if (
    code === "ERR_BUFFER_TOO_LARGE" || error instanceof RangeError
  ) {
    return new ContentError(
      "too-large",
      `The ${coding} body decodes to more than ${MAX_DECODED_BYTES} bytes`,
    );
  }
  return new ContentError(
    "content-encoding",
    `The body is not whole ${coding} data: ${message ?? String(error)}`,
  );
}
