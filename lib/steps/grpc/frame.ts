import { BenchError } from "../../base/errors/bench_error.ts";
import {
  ContentError,
  inflate,
  MAX_DECODED_BYTES,
} from "../../wire/http1/content.ts";

/*
 * Length-Prefixed-Message := compressed flag (1 byte) length (4 bytes) message
 * (gRPC over HTTP/2, "Requests").
 */
const PREFIX = 5;

/** A message as it travels, uncompressed. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, PREFIX);
  return frame;
}

/** A compressed message that cannot be read; INTERNAL to gRPC. */
export class CompressionError extends BenchError {
  override readonly name = "CompressionError";
}

/**
 * The one message of a unary response, without its compression. Nothing is ever
 * offered, but a server may compress all the same.
 *
 * @param encoding `grpc-encoding` of the response
 * @throws {SyntaxError} when the body is not exactly one message
 * @throws {CompressionError} when it cannot be decompressed
 */
export function unframeMessage(
  body: Uint8Array,
  encoding: string | undefined,
): Uint8Array {
  if (body.length === 0) throw new SyntaxError("it has no message");
  if (body.length < PREFIX) {
    throw new SyntaxError("its message is cut short");
  }
  const flag = body[0]!;
  if (flag > 1) {
    throw new SyntaxError(`its message begins with the unknown flag ${flag}`);
  }
  const length = new DataView(body.buffer, body.byteOffset).getUint32(1);
  const end = PREFIX + length;
  if (body.length < end) {
    throw new SyntaxError(
      `its message is cut short: ${
        body.length - PREFIX
      } of ${length} bytes came`,
    );
  }
  if (body.length > end) {
    throw new SyntaxError(
      "it has more than one message, which unary calls never have",
    );
  }
  const message = body.subarray(PREFIX, end);
  return flag === 0 ? message : decompressed(message, encoding);
}

/** gRPC's `deflate` has the wrapper of zlib, as HTTP's. */
function decompressed(
  message: Uint8Array,
  encoding: string | undefined,
): Uint8Array {
  if (encoding === undefined || encoding === "identity") {
    throw new CompressionError(
      "its message is marked as compressed, and no `grpc-encoding` says how",
    );
  }
  if (encoding !== "gzip" && encoding !== "deflate") {
    throw new CompressionError(
      `its message is compressed with \`${encoding}\`, which cannot be read: expected gzip or deflate`,
    );
  }
  try {
    return inflate(message, encoding);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new CompressionError(
      error.code === "too-large"
        ? `its ${encoding} message decodes to more than ${MAX_DECODED_BYTES} bytes`
        : `its message is compressed and broken: ${error.message}`,
    );
  }
}
