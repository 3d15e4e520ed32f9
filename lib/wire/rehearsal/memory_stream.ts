import { concatenated } from "../../base/values/bytes.ts";
import { latin1 } from "../net/ascii.ts";
import type { ByteStream } from "../net/byte_stream.ts";
import { acceptOf } from "../websocket/handshake.ts";
import { FIN, MASKED, OPCODE } from "../websocket/frame.ts";
import { Http2Server, type ServerSide } from "./http2_server.ts";

const encoder = new TextEncoder();
const NOTHING: readonly Uint8Array[] = [];

/** The network that a connection is of. */
interface Surroundings {
  /** Those that are open. */
  readonly streams: Set<MemoryStream>;
  /** No byte comes any more. */
  readonly frozen: boolean;
}

/**
 * A connection to a server that is not there: it speaks HTTP/1.1, HTTP/2 or
 * WebSocket, whichever the client does, and sends the same body for every request.
 * Its bytes come in a later turn of the event loop, as from a socket.
 */
export class MemoryStream implements ByteStream {
  #server: ServerSide | undefined;
  readonly #queue: Uint8Array[] = [];
  #waiting:
    | {
      readonly into: Uint8Array;
      readonly resolve: (count: number) => void;
      readonly reject: (error: Error) => void;
    }
    | undefined;
  #closed = false;

  /** @param body JSON */
  constructor(readonly body: Uint8Array, readonly network: Surroundings) {
    network.streams.add(this);
  }

  read(into: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Deno.errors.Interrupted());
      this.#waiting = { into, resolve, reject };
      if (this.#queue.length > 0) setImmediate(this.#deliver);
    });
  }

  write(bytes: Uint8Array): Promise<number> {
    this.#server ??= speaksHttp2(bytes)
      ? new Http2Server(this.body)
      : new Http1Server(this.body);
    const sent = this.#server.hear(bytes);
    if (sent.length > 0) {
      this.#queue.push(...sent);
      setImmediate(this.#deliver);
    }
    return Promise.resolve(bytes.length);
  }

  close(): void {
    this.#closed = true;
    this.network.streams.delete(this);
    this.#waiting?.reject(new Deno.errors.Interrupted());
    this.#waiting = undefined;
  }

  readonly #deliver = (): void => {
    const waiting = this.#waiting;
    const [first] = this.#queue;
    if (!waiting || !first || this.network.frozen) return;
    const count = Math.min(first.length, waiting.into.length);
    waiting.into.set(first.subarray(0, count));
    if (count === first.length) this.#queue.shift();
    else this.#queue[0] = first.subarray(count);
    this.#waiting = undefined;
    waiting.resolve(count);
  };
}

/** RFC 9113 section 3.4: a client begins with `PRI * HTTP/2.0`. */
function speaksHttp2(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, Math.min(bytes.length, 5)) === "PRI *";
}

/** HTTP/1.1, and WebSocket where it is asked for. */
class Http1Server implements ServerSide {
  readonly #response: readonly Uint8Array[];
  readonly #head: readonly Uint8Array[];
  #socket: WebSocketServer | undefined;

  constructor(readonly body: Uint8Array) {
    const head = encoder.encode(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    this.#head = [head];
    this.#response = [concatenated([head, body])];
  }

  hear(bytes: Uint8Array): readonly Uint8Array[] {
    if (this.#socket) return this.#socket.hear(bytes);
    if (latin1(bytes, 0, 5) === "HEAD ") return this.#head;
    const head = latin1(bytes, 0, Math.min(bytes.length, LONGEST_HANDSHAKE));
    const [, key] = /\r\nsec-websocket-key: *(\S+)/i.exec(head) ?? [];
    if (key === undefined) return this.#response;
    this.#socket = new WebSocketServer(this.body);
    const [, offered] = /\r\nsec-websocket-protocol: *([^\s,]+)/i.exec(head) ??
      [];
    return [encoder.encode([
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${acceptOf(key)}`,
      ...offered === undefined ? [] : [`Sec-WebSocket-Protocol: ${offered}`],
      "\r\n",
    ].join("\r\n"))];
  }
}

/** So much of a request is looked at. */
const LONGEST_HANDSHAKE = 4_096;

/** The server's side of WebSocket (RFC 6455): one message for every message, a close frame for a close frame. */
class WebSocketServer implements ServerSide {
  readonly #message: Uint8Array;

  constructor(body: Uint8Array) {
    const head = body.length < 126
      ? [FIN | OPCODE.TEXT, body.length]
      : [FIN | OPCODE.TEXT, 126, body.length >> 8, body.length & 0xff];
    this.#message = concatenated([Uint8Array.from(head), body]);
  }

  /** A client writes whole frames. */
  hear(bytes: Uint8Array): readonly Uint8Array[] {
    let sent = NOTHING;
    for (let at = 0; at + 1 < bytes.length;) {
      const opcode = bytes[at]! & 0x0f;
      const { start, length } = extent(bytes, at);
      at = start + length;
      if (opcode === OPCODE.CLOSE) return [...sent, CLOSED];
      if (opcode > OPCODE.BINARY) continue;
      sent = [...sent, this.#message];
    }
    return sent;
  }
}

const CLOSED = Uint8Array.of(FIN | OPCODE.CLOSE, 0);

/** Where the payload of the frame at `at` lies (RFC 6455 section 5.2). */
function extent(
  bytes: Uint8Array,
  at: number,
): { readonly start: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mask = (bytes[at + 1]! & MASKED) === 0 ? 0 : 4;
  const short = bytes[at + 1]! & 0x7f;
  if (short < 126) return { start: at + 2 + mask, length: short };
  return short === 126
    ? { start: at + 4 + mask, length: view.getUint16(at + 2) }
    : { start: at + 10 + mask, length: view.getUint32(at + 6) };
}
