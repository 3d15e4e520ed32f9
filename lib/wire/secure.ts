import * as tls from "node:tls";
import type { ByteStream } from "./byte_stream.ts";
import { tlsError } from "./connect_error.ts";
import { isAddress } from "./host.ts";
import { connectSocket, secureSocket } from "./node_tls.ts";

/** How to trust servers, and what to show them. */
export interface TlsOptions {
  /** PEM, besides the usual authorities. */
  readonly caCerts: readonly string[];
  /** PEM of the client certificate; goes with `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** No verification at all. */
  readonly insecure: boolean;
}

/** A TCP connection that is not used yet. */
export interface Socket {
  plain(): ByteStream;
  /**
   * Runs the TLS handshake for the host of that name.
   *
   * @throws {WireError} `tls`
   */
  secure(host: string, alpn: readonly string[]): Promise<ByteStream>;
  /** Closes it, whatever has become of it. */
  discard(): void;
}

/** Opens sockets, and chooses the TLS that can do what the options ask for. */
export class Secure {
  readonly #options: TlsOptions;
  /** Made once: reading a hundred authorities takes longer than a handshake. */
  #context: tls.SecureContext | undefined;
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
      return new NodeSocket(
        await connectSocket(address, port, signal),
        this.#context ??= secureContext(this.#options),
        this.#options.insecure,
      );
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

class NodeSocket implements Socket {
  constructor(
    readonly socket: Parameters<typeof secureSocket>[0],
    readonly context: tls.SecureContext,
    readonly insecure: boolean,
  ) {}

  plain(): ByteStream {
    throw new TypeError("A socket made for node:tls is never used bare");
  }

  async secure(host: string, alpn: readonly string[]): Promise<ByteStream> {
    try {
      return await secureSocket(this.socket, {
        // A server name is never an address (RFC 6066 section 3).
        ...(isAddress(host) ? { host } : { servername: host, host }),
        secureContext: this.context,
        ...(alpn.length > 0 ? { ALPNProtocols: [...alpn] } : {}),
        rejectUnauthorized: !this.insecure,
      });
    } catch (error) {
      throw tlsError(error, host);
    }
  }

  discard(): void {
    this.socket.destroy();
  }
}

function secureContext(options: TlsOptions): tls.SecureContext {
  const { caCerts, cert, key } = options;
  return tls.createSecureContext({
    // `ca` replaces the usual authorities instead of joining them.
    ...(caCerts.length > 0
      ? { ca: [...tls.rootCertificates, ...caCerts] }
      : {}),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}
