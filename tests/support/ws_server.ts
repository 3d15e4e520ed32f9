import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";

/** One client as the library's server side has it. */
export interface ServerSession {
  readonly socket: ServerSocket;
  /** The connection below it, for bytes that are no frames. */
  readonly stream: Duplex;
}

/** The part of the library's server side that tests use. */
export interface ServerSocket {
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  ping(data?: string): void;
  on(
    event: "message",
    listener: (data: Uint8Array, isBinary: boolean) => void,
  ): void;
  on(event: "pong", listener: (data: Uint8Array) => void): void;
  on(
    event: "close",
    listener: (code: number, reason: Uint8Array) => void,
  ): void;
}

/** How a server behaves; without anything every session opens and is silent. */
export interface WsServerOptions {
  /** Whether the library accepts this handshake; else it was refused here. */
  readonly upgrade?: (request: IncomingMessage, stream: Duplex) => boolean;
  readonly session?: (
    session: ServerSession,
    request: IncomingMessage,
  ) => void;
  /** The subprotocol to choose; the first one offered when absent. */
  readonly subprotocol?: string;
  /** Makes it speak TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A WebSocket server on a free loopback port, by the `ws` library. */
export interface WsServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or `https` with TLS. */
  readonly url: string;
  readonly port: number;
  /** Heads of all handshakes, in order. */
  readonly handshakes: readonly IncomingMessage[];
  /** Sessions that are open now. */
  readonly open: number;
}

/** Starts one; ending the scope closes every connection. */
export async function wsServer(
  options: WsServerOptions = {},
): Promise<WsServer> {
  const library = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered: Set<string>) =>
      options.subprotocol ?? [...offered][0] ?? false,
  });
  const handshakes: IncomingMessage[] = [];
  const streams = new Set<Duplex>();
  const gone: Promise<void>[] = [];
  const { tls } = options;
  const server = tls ? createTlsServer(tls) : createServer();
  server.on("upgrade", (request, stream: Duplex, head) => {
    handshakes.push(request);
    streams.add(stream);
    stream.on("error", () => {});
    gone.push(
      new Promise((resolve) =>
        stream.once("close", () => {
          streams.delete(stream);
          resolve();
        })
      ),
    );
    if (options.upgrade && !options.upgrade(request, stream)) return;
    library.handleUpgrade(request, stream, head, (socket: ServerSocket) => {
      options.session?.({ socket, stream }, request);
    });
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    handshakes,
    get open() {
      return library.clients.size;
    },
    async [Symbol.asyncDispose]() {
      for (const stream of streams) stream.destroy();
      await Promise.all(gone);
      library.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
