import type { ByteStream } from "./byte_stream.ts";
import { tlsError } from "./connect_error.ts";
import type { NodeTls } from "./node_tls.ts";
import type { Socket, TlsOptions } from "./socket.ts";

/** Opens sockets, and chooses the TLS that can do what the options ask for. */
export class Secure {
  readonly #options: TlsOptions;
  #node: Promise<NodeTls> | undefined;
  /** `Deno.startTls` knows neither client certificates nor `insecure`. */
  readonly #needsNode: boolean;

  constructor(options: TlsOptions) {
    this.#options = options;
    this.#needsNode = options.insecure || options.cert !== undefined ||
      options.key !== undefined;
  }

  /** Connects to an address; the errors are the platform's. */
  async open(
    address: string,
    port: number,
    family: "http" | "https",
    signal: AbortSignal,
  ): Promise<Socket> {
    if (family === "https" && this.#needsNode) {
      this.#node ??= loadNodeTls(this.#options);
      return (await this.#node).open(address, port, signal);
    }
    const connection = await Deno.connect({
      hostname: address,
      port,
      signal,
      autoSelectFamily: false,
    });
    connection.setNoDelay(true);
    return new DenoSocket(connection, this.#options);
  }
}

class DenoSocket implements Socket {
  #stream: Deno.TcpConn | Deno.TlsConn;

  constructor(
    readonly connection: Deno.TcpConn,
    readonly options: TlsOptions,
  ) {
    this.#stream = connection;
  }

  plain(): ByteStream {
    return this.connection;
  }

  async secure(host: string, alpn: readonly string[]): Promise<ByteStream> {
    try {
      const stream = await Deno.startTls(this.connection, {
        hostname: host,
        caCerts: [...this.options.caCerts],
        ...(alpn.length > 0 ? { alpnProtocols: [...alpn] } : {}),
      });
      this.#stream = stream;
      await stream.handshake();
      return stream;
    } catch (error) {
      throw tlsError(error, host);
    }
  }

  discard(): void {
    try {
      this.#stream.close();
    } catch {
      // The handshake may have taken the socket down with it.
    }
  }
}

/** Loaded when it is needed: node:tls adds 25 ms to the start of the program. */
async function loadNodeTls(options: TlsOptions): Promise<NodeTls> {
  const { NodeTls } = await import("./node_tls.ts");
  return new NodeTls(options);
}
