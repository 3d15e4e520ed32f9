import { Buffer } from "node:buffer";
import * as net from "node:net";
import * as tls from "node:tls";
import type { ByteStream } from "./byte_stream.ts";
import { tlsError } from "./connect_error.ts";
import { isAddress } from "./host.ts";
import type { Socket, TlsOptions } from "./socket.ts";

/**
 * The way round `Deno.startTls`, which takes no client certificate and cannot
 * leave verification out: a socket of node:net, and node:tls over it.
 */
export class NodeTls {
  readonly #context: tls.SecureContext;
  readonly #insecure: boolean;

  constructor(options: TlsOptions) {
    const { caCerts, cert, key, insecure } = options;
    this.#insecure = insecure;
    this.#context = tls.createSecureContext({
      // `ca` replaces the usual authorities instead of joining them.
      ...(caCerts.length > 0
        ? { ca: [...tls.rootCertificates, ...caCerts] }
        : {}),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  }

  /** Connects to an address; the errors are the platform's. */
  async open(
    address: string,
    port: number,
    signal: AbortSignal,
  ): Promise<Socket> {
    const socket = await connect(address, port, signal);
    return {
      plain() {
        throw new TypeError("A socket made for node:tls is never used bare");
      },
      secure: async (host, alpn) => {
        try {
          return await handshake(socket, {
            // A server name is never an address (RFC 6066 section 3).
            ...(isAddress(host) ? { host } : { servername: host, host }),
            ...(alpn.length > 0 ? { ALPNProtocols: [...alpn] } : {}),
            secureContext: this.#context,
            rejectUnauthorized: !this.#insecure,
          });
        } catch (error) {
          throw tlsError(error, host);
        }
      },
      discard: () => void socket.destroy(),
    };
  }
}

/** Connects to an address; resolves when the TCP handshake is done. */
function connect(
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = new net.Socket();
    const late = () => socket.destroy(new Error("too late"));
    signal.addEventListener("abort", late, { once: true });
    socket.once("error", reject);
    // Whoever uses the socket hears of errors in its own way; without any
    // listener an error that comes in between would end the process.
    socket.on("error", () => {});
    socket.setNoDelay(true);
    socket.connect({ host: address, port }, () => {
      socket.off("error", reject);
      signal.removeEventListener("abort", late);
      resolve(socket);
    });
  });
}

/** Runs the TLS handshake over `socket`; the socket is destroyed on failure. */
function handshake(
  socket: net.Socket,
  options: tls.ConnectionOptions,
): Promise<ByteStream> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ ...options, socket });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    secured.once("error", fail);
    secured.once(
      "close",
      () => fail(new Deno.errors.UnexpectedEof("closed in the handshake")),
    );
    secured.once("secureConnect", () => {
      secured.off("error", fail);
      resolve(new SocketStream(secured));
    });
  });
}

/** A node socket as something to read from: one read is answered at a time. */
class SocketStream implements ByteStream {
  readonly #socket: tls.TLSSocket;
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: tls.TLSSocket) {
    this.#socket = socket;
    const wake = () => this.#wake?.();
    socket.on("readable", wake);
    socket.on("end", () => {
      this.#ended = true;
      wake();
    });
    socket.on("close", () => {
      this.#ended = true;
      wake();
    });
    socket.on("error", (error: Error) => {
      this.#error = error;
      wake();
    });
  }

  read(into: Uint8Array): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const attempt = () => {
        const ready = this.#socket.readableLength;
        const chunk = ready > 0
          ? this.#socket.read(Math.min(ready, into.length)) as Buffer | null
          : null;
        if (chunk !== null) {
          this.#wake = undefined;
          into.set(chunk);
          resolve(chunk.length);
        } else if (this.#error || this.#ended) {
          this.#wake = undefined;
          if (this.#error) reject(this.#error);
          else resolve(null);
        } else {
          this.#wake = attempt;
          // Asking for nothing tells the stream that more is wanted.
          this.#socket.read(0);
        }
      };
      attempt();
    });
  }

  write(bytes: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      const copy = Buffer.from(
        bytes.buffer,
        bytes.byteOffset,
        bytes.byteLength,
      );
      this.#socket.write(
        copy,
        (error) => error ? reject(error) : resolve(bytes.length),
      );
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
