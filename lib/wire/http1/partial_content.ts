import * as zlib from "node:zlib";
import { codingsIn, hasZlibHeader, MAX_DECODED_BYTES } from "./content.ts";

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
