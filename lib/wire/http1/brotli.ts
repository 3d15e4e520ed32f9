import { Buffer } from "node:buffer";

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
export async function unbrotli(
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
