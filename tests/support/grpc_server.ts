import { Buffer } from "node:buffer";
import http2 from "node:http2";
import type { Socket } from "node:net";
import { type Http2Listener, listening } from "./http2_listener.ts";

/** One call as the server got it. */
export interface GrpcCall {
  readonly path: string;
  readonly headers: http2.IncomingHttpHeaders;
  /** The message without its frame. */
  readonly message: Uint8Array;
  readonly stream: http2.ServerHttp2Stream;
  /** The TCP connection under the stream. */
  readonly socket: Socket;
}

/** A gRPC server made of node's HTTP/2 alone, on a free loopback port. */
export interface GrpcServer extends Http2Listener {
  readonly calls: readonly GrpcCall[];
  /** TCP connections so far. */
  readonly connections: number;
  /** Resolves once the first call is there. */
  readonly asked: Promise<void>;
}

/** Starts a server; `tls` makes it speak TLS. */
export async function grpcServer(
  respond: (call: GrpcCall) => void,
  tls?: { readonly cert: string; readonly key: string },
): Promise<GrpcServer> {
  const calls: GrpcCall[] = [];
  const sockets: Socket[] = [];
  const asked = Promise.withResolvers<void>();
  const server = tls ? http2.createSecureServer(tls) : http2.createServer();
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    socket.on("error", () => {});
    sockets.push(socket);
  });
  server.on(
    "stream",
    (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
      const chunks: Buffer[] = [];
      stream.on("error", () => {});
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const call: GrpcCall = {
          path: String(headers[":path"]),
          headers,
          message: new Uint8Array(Buffer.concat(chunks).subarray(5)),
          stream,
          socket: sockets.at(-1)!,
        };
        calls.push(call);
        asked.resolve();
        // On a slow machine the caller may have given up before this.
        if (!stream.destroyed) respond(call);
      });
    },
  );
  const listener = await listening(server);
  return {
    ...listener,
    calls,
    get connections() {
      return sockets.length;
    },
    asked: asked.promise,
  };
}

/** Responds with one message and a status in the trailers. */
export function respond(
  { stream }: GrpcCall,
  message: Uint8Array,
  trailers: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): void {
  sendResponse(stream, framed(message), trailers, headers);
}

/** The same with a message that is marked as compressed. */
export function respondCompressed(
  { stream }: GrpcCall,
  message: Uint8Array,
  encoding: string | undefined,
): void {
  const headers = encoding === undefined ? {} : { "grpc-encoding": encoding };
  const frame = framed(message);
  frame[0] = 1;
  sendResponse(stream, frame, {}, headers);
}

function sendResponse(
  stream: GrpcCall["stream"],
  body: Uint8Array,
  trailers: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): void {
  stream.respond(
    { ":status": 200, "content-type": "application/grpc", ...headers },
    { waitForTrailers: true },
  );
  stream.on(
    "wantTrailers",
    () => stream.sendTrailers({ "grpc-status": "0", ...trailers }),
  );
  stream.end(body);
}

/** Responds with a status alone ("Trailers-Only"). */
export function refuse(
  { stream }: GrpcCall,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  stream.respond({
    ":status": 200,
    "content-type": "application/grpc",
    "grpc-status": String(status),
    ...headers,
  }, { endStream: true });
}

/** A message with the five bytes in front of it. */
export function framed(message: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}

/** Field 1 of a message as a string, on the wire. */
export function textField(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return Uint8Array.of(0x0a, bytes.length, ...bytes);
}
