import {
  FLAG,
  FRAME,
  type Frame,
  FRAME_HEAD,
  FrameReader,
} from "../http2/frames/frame_reader.ts";
import { ByteWriter } from "../http2/frames/byte_writer.ts";
import { HpackDecoder } from "../http2/hpack/decoder.ts";

/** The server's side of a connection. */
export interface ServerSide {
  /**
   * Takes bytes as the client wrote them.
   *
   * @returns the bytes that are sent then
   */
  hear(bytes: Uint8Array): readonly Uint8Array[];
}

/** RFC 9113 section 3.4. */
const PREFACE_BYTES = 24;

/** Literals without indexing, which need no table (RFC 7541 section 6.2.2). */
const STATUS_200 = 0x88;
const encoder = new TextEncoder();

/** The fields of a response, and those of the trailers of gRPC. */
const RESPONSE = block([["content-type", "application/json"]], true);
const GRPC_RESPONSE = block([["content-type", "application/grpc"]], true);
const GRPC_TRAILERS = block([["grpc-status", "0"]], false);
/** A message without a field, not compressed. */
const GRPC_MESSAGE = new Uint8Array(5);

/** The server's side of HTTP/2: every request gets one response, of gRPC an empty message. */
export class Http2Server implements ServerSide {
  readonly #reader = new FrameReader();
  readonly #fields = new HpackDecoder<never>(4_096, 65_536);
  readonly #grpc = new Set<number>();
  #preface = PREFACE_BYTES;
  #out = new ByteWriter();

  constructor(readonly body: Uint8Array) {}

  hear(bytes: Uint8Array): readonly Uint8Array[] {
    let rest = bytes.subarray(Math.min(bytes.length, this.#preface));
    if (this.#preface > 0) this.#frame(FRAME.SETTINGS, 0, 0);
    this.#preface = Math.max(0, this.#preface - bytes.length);
    while (rest.length > 0) {
      const room = this.#reader.room();
      const count = Math.min(room.length, rest.length);
      room.set(rest.subarray(0, count));
      this.#reader.take(count);
      rest = rest.subarray(count);
      for (;;) {
        const frame = this.#reader.next();
        if (!frame) break;
        this.#take(frame);
      }
    }
    const sent = this.#out.copyFrom(0);
    this.#out.clear(1_024);
    return sent.length === 0 ? [] : [sent];
  }

  #take({ type, flags, stream, start, end }: Frame): void {
    const { bytes } = this.#reader;
    if (type === FRAME.SETTINGS && (flags & FLAG.ACK) === 0) {
      this.#frame(FRAME.SETTINGS, FLAG.ACK, 0);
    } else if (type === FRAME.PING && (flags & FLAG.ACK) === 0) {
      this.#frame(FRAME.PING, FLAG.ACK, 0, bytes.slice(start, end));
    } else if (type === FRAME.HEADERS) {
      const { fields } = this.#fields.decode(bytes, start, end);
      if (fields.some(([name, value]) => isGrpc(name, value))) {
        this.#grpc.add(stream);
      }
    } else if (type === FRAME.DATA && end > start) {
      const more = new Uint8Array(4);
      new DataView(more.buffer).setUint32(0, end - start);
      this.#frame(FRAME.WINDOW_UPDATE, 0, 0, more);
    }
    const ends = type === FRAME.HEADERS || type === FRAME.DATA;
    if (ends && (flags & FLAG.END_STREAM) !== 0) this.#respond(stream);
  }

  #respond(stream: number): void {
    if (this.#grpc.delete(stream)) {
      this.#frame(FRAME.HEADERS, FLAG.END_HEADERS, stream, GRPC_RESPONSE);
      this.#frame(FRAME.DATA, 0, stream, GRPC_MESSAGE);
      const last = FLAG.END_HEADERS | FLAG.END_STREAM;
      return this.#frame(FRAME.HEADERS, last, stream, GRPC_TRAILERS);
    }
    this.#frame(FRAME.HEADERS, FLAG.END_HEADERS, stream, RESPONSE);
    this.#frame(FRAME.DATA, FLAG.END_STREAM, stream, this.body);
  }

  #frame(
    type: number,
    flags: number,
    stream: number,
    payload: Uint8Array = new Uint8Array(0),
  ): void {
    const out = this.#out;
    const head = out.reserve(FRAME_HEAD);
    const view = new DataView(out.bytes.buffer, head);
    view.setUint32(0, (payload.length << 8) | type);
    view.setUint8(4, flags);
    view.setUint32(5, stream);
    out.append(payload);
  }
}

function isGrpc(name: string, value: string): boolean {
  return name === "content-type" && value.startsWith("application/grpc");
}

function block(
  fields: readonly (readonly [name: string, value: string])[],
  withStatus: boolean,
): Uint8Array {
  const out = new ByteWriter();
  if (withStatus) out.byte(STATUS_200);
  for (const [name, value] of fields) {
    out.byte(0);
    for (const text of [name, value]) {
      out.byte(text.length);
      out.append(encoder.encode(text));
    }
  }
  return out.copyFrom(0);
}
