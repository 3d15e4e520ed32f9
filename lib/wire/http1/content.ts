import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { shortened } from "../../base/text/display.ts";
import { headerValues } from "../../base/values/headers.ts";
import type { Failure } from "../../model/result/failure.ts";
import { TOO_LARGE } from "../net/wire_error.ts";
import type { WireResponse } from "../net/wire_response.ts";

type Library = typeof import("brotli-dec-wasm/web");
let loading: Promise<Library> | undefined;

/** Bytes handed to the decoder, and taken from it, at a time. */
const PIECE = 64 * 1024;

/**
 * Takes a brotli coding (RFC 7932) off.
 *
 * Not one of the runtime's decoders: that of node:zlib takes half a stream for
 * a whole one and prints to standard output, and `DecompressionStream` has all
 * that a piece decodes to in memory before it can be counted, and a hundred
 * bytes may say a hundred megabytes.
 *
 * @param limit bytes of output
 * @throws {RangeError} for more output than `limit`
 * @throws {TypeError} for data that is not one whole stream
 */
async function unbrotli(
  body: Uint8Array,
  limit: number,
): Promise<Uint8Array> {
  const { BrotliDecStream, BrotliStreamResultCode } =
    await (loading ??= load());
  const { ResultSuccess, NeedsMoreInput } = BrotliStreamResultCode;
  const decoder = new BrotliDecStream();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let at = 0;;) {
      const result = decoder.dec(body.subarray(at, at + PIECE), PIECE);
      const { buf, code, input_offset } = result;
      result.free();
      at += input_offset;
      length += buf.length;
      if (length > limit) throw new RangeError("too much output");
      if (buf.length > 0) parts.push(buf);
      if (code === NeedsMoreInput && at === body.length) {
        throw new TypeError("unexpected end of data");
      }
      if (code !== ResultSuccess) continue;
      if (at < body.length) throw new TypeError("data follows its end");
      return Buffer.concat(parts, length);
    }
  } finally {
    decoder.free();
  }
}

async function load(): Promise<Library> {
  const [library, { default: module }] = await Promise.all([
    import("brotli-dec-wasm/web"),
    import("brotli-dec-wasm/web/bg.wasm", { with: { type: "bytes" } }),
  ]);
  library.initSync({ module });
  return library;
}

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

/** An encoded response's body, or why there is none. */
export interface Content {
  readonly bytes?: Uint8Array;
  /** The body breaks off in its coding, or is not of that coding: a broken response. */
  readonly failure?: Failure;
  /** Why it stays as it came, which says nothing against the response. */
  readonly left?: Failure;
}

/** The codings that are taken off. */
const KNOWN: ReadonlySet<string> = new Set([
  "gzip",
  "x-gzip",
  "deflate",
  "br",
]);

/** A part of an encoded body cannot be decoded by itself (RFC 9110 15.3.7). */
const PARTIAL_CONTENT = 206;

/**
 * The body of an encoded response without its codings. Never rejects: a body that
 * is not whole in its coding is a broken response for every reader.
 */
export async function contentOf(response: WireResponse): Promise<Content> {
  const { body, status } = response;
  const encoding = headerValues(response.headers(), "content-encoding")
    .join(", ");
  const codings = codingsIn(encoding);
  // Not to be taken for decoded: these bytes still lie in the connection's buffer.
  if (body.length === 0 || codings.length === 0) return {};
  if (status === PARTIAL_CONTENT) {
    return left(
      `The body is a part of ${
        codings.join(", ")
      } data (status 206), which cannot be decoded by itself`,
    );
  }
  const unknown = codings.find((coding) => !KNOWN.has(coding));
  if (unknown !== undefined) return left(cannotDecode(unknown));
  try {
    return { bytes: await decodeContent(body, encoding) };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const { code, message } = error;
    return code === TOO_LARGE.code
      ? { left: { code, message } }
      : { failure: { code, message } };
  }
}

function left(message: string): Content {
  return { left: { code: "content-encoding", message } };
}

function cannotDecode(coding: string): string {
  return `The content coding \`${
    shortened(coding, 40)
  }\` of the body cannot be decoded: expected gzip, deflate or br, as the step's \`Accept-Encoding\` can ask for`;
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
export async function decodeContent(
  body: Uint8Array,
  encoding: string | undefined,
): Promise<Uint8Array> {
  if (encoding === undefined || body.length === 0) return body;
  const codings = codingsIn(encoding);
  if (codings.length > MAX_CODINGS) {
    throw new ContentError(
      "content-encoding",
      `\`${codings.length}\` content codings are stacked: at most ${MAX_CODINGS} are taken off`,
    );
  }
  for (const coding of codings.reverse()) body = await decode(body, coding);
  return body;
}

/** The codings a body is in, first to last. */
function codingsIn(encoding: string): string[] {
  return encoding.toLowerCase().split(",").map((each) => each.trim())
    .filter((each) => each !== "" && each !== "identity");
}

/** gzip may have members and zeros after its end; nothing else may follow. */
const GZIP = { maxOutputLength: MAX_DECODED_BYTES };
const DEFLATE = { ...GZIP, rejectGarbageAfterEnd: true };

async function decode(body: Uint8Array, coding: string): Promise<Uint8Array> {
  try {
    switch (coding) {
      case "gzip":
      case "x-gzip":
        return inflate(body, "gzip");
      case "deflate":
        return inflate(body, "deflate");
      case "br":
        return await unbrotli(
          body as Uint8Array<ArrayBuffer>,
          MAX_DECODED_BYTES,
        );
    }
  } catch (error) {
    throw error instanceof ContentError ? error : decodeError(error, coding);
  }
  throw new ContentError("content-encoding", cannotDecode(coding));
}

/**
 * Takes one of the codings off that need no waiting.
 *
 * @throws {ContentError} for bytes that are not in it, or more than 16 MiB of
 *   output
 */
export function inflate(
  body: Uint8Array,
  coding: "gzip" | "deflate",
): Uint8Array {
  try {
    if (coding === "gzip") return zlib.gunzipSync(body, GZIP);
    return hasZlibHeader(body)
      ? zlib.inflateSync(body, DEFLATE)
      : zlib.inflateRawSync(body, DEFLATE);
  } catch (error) {
    throw decodeError(error, coding);
  }
}

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
      TOO_LARGE.code,
      `The ${coding} body decodes to more than ${MAX_DECODED_BYTES} bytes`,
    );
  }
  return new ContentError(
    "content-encoding",
    `The body is not whole ${coding} data: ${message ?? String(error)}`,
  );
}

/**
 * The beginning of a body that is not whole in its codings, or has something
 * behind its end. Undefined when nothing is known: for another coding than
 * gzip and deflate, bytes that are in none, and more than 16 MiB of output.
 *
 * @param encoding the value of `Content-Encoding`
 */
export function decodablePart(
  body: Uint8Array,
  encoding: string,
): Uint8Array | undefined {
  const codings = codingsIn(encoding);
  if (codings.length === 0) return undefined;
  let part = body;
  try {
    for (const coding of codings.reverse()) {
      const from = dataOf(part, coding);
      if (from === undefined) return undefined;
      part = zlib.inflateRawSync(part.subarray(from), {
        finishFlush: zlib.constants.Z_SYNC_FLUSH,
        maxOutputLength: MAX_DECODED_BYTES,
      });
    }
  } catch {
    return undefined;
  }
  return part.length === 0 ? undefined : part;
}

/** Where the compressed data begins; undefined for what is not in that coding. */
function dataOf(body: Uint8Array, coding: string): number | undefined {
  if (coding === "gzip" || coding === "x-gzip") return gzipData(body);
  if (coding !== "deflate") return undefined;
  return hasZlibHeader(body) ? 2 : 0;
}

const HEADER_CRC = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;

/** Behind the header of a gzip member (RFC 1952 section 2.3). */
function gzipData(body: Uint8Array): number | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b || body[2] !== 8) return undefined;
  const flags = body[3] ?? 0;
  let at = 10;
  if (flags & EXTRA) at += 2 + (body[at] ?? 0) + ((body[at + 1] ?? 0) << 8);
  for (const flag of [NAME, COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = body.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return flags & HEADER_CRC ? at + 2 : at;
}
