import { Buffer } from "node:buffer";

/**
 * Takes a brotli coding (RFC 7932) off. Of the runtime's decoders only this one
 * says when data breaks off or is none: that of node:zlib gives back what it
 * could decode, and of bad data it prints to standard output.
 *
 * @param limit bytes of output
 * @throws {RangeError} for more output than `limit`
 * @throws {TypeError} for data that is not one whole stream
 */
export async function unbrotli(
  body: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream(BROTLI);
  const feeding = feed(writable.getWriter(), body);
  const reader = readable.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > limit) throw new RangeError("too much output");
      parts.push(value);
    }
  } finally {
    await reader.cancel().catch(() => {});
    await feeding;
  }
  return Buffer.concat(parts, length);
}

/** In the Compression Standard since 2025; the types do not know it yet. */
const BROTLI = "brotli" as CompressionFormat;

/**
 * Bytes handed over at a time. What one piece decodes to is in memory before it
 * can be counted: a kilobyte of a bomb may say gigabytes.
 */
const PIECE = 128;

/** Never rejects: what is wrong is told by the reading side. */
async function feed(
  writer: WritableStreamDefaultWriter<BufferSource>,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  try {
    for (let at = 0; at < body.length; at += PIECE) {
      await writer.write(body.subarray(at, at + PIECE));
    }
    await writer.close();
  } catch {
    // The reader has been told.
  }
}
