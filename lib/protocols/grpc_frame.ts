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

/**
 * The one message of a unary answer.
 *
 * @throws {SyntaxError} when the body is not exactly one uncompressed message
 */
export function unframeMessage(body: Uint8Array): Uint8Array {
  if (body.length === 0) throw new SyntaxError("it has no message");
  if (body.length < PREFIX) {
    throw new SyntaxError("its message is cut short");
  }
  if (body[0] !== 0) {
    throw new SyntaxError(
      body[0] === 1
        ? "its message is compressed, which was not offered"
        : `its message begins with the unknown flag ${body[0]}`,
    );
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
  return body.subarray(PREFIX, end);
}
