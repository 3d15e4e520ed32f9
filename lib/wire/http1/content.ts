import { shortened } from "../../base/values/shortened.ts";
import * as zlib from "node:zlib";
import type { Failure } from "../../model/result/failure.ts";
import { headerValues } from "../../base/values/headers.ts";
import { TOO_LARGE } from "../net/exchange_failure.ts";
import type { WireResponse } from "../net/wire_response.ts";
import { unbrotli } from "./brotli.ts";

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
  /** The body breaks off in its coding, or is none: a broken response. */
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
  }\` of the body cannot be decoded: expected gzip, deflate or br`;
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
export function codingsIn(encoding: string): string[] {
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
export function hasZlibHeader(body: Uint8Array): boolean {
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
