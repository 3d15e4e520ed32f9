import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import * as tls from "node:tls";
import {
  type ByteStream,
  closeQuietly,
  type Connected,
  type TlsOptions,
} from "./byte_stream.ts";
import { isAddress } from "./host.ts";

/** First size of the read buffer: what an idle socket holds on to. */
const LEAST_BUFFER = 2 * 1024;
const MOST_BUFFER = 64 * 1024;

interface Chunk {
  readonly chunk: Uint8Array;
}

type Done = (error?: Error | null) => void;

/**
 * A `ByteStream` as a node stream, for libraries that want one.
 *
 * Ending the writing side says nothing to the server: a `ByteStream` has no half
 * close. Destroying it closes the byte stream, and `close` is emitted only when
 * the read and the write under way have ended, so that nothing is left behind.
 */
export class StreamDuplex extends Duplex {
  readonly #stream: ByteStream;
  #buffer = new Uint8Array(LEAST_BUFFER);
  #reading: Promise<void> | undefined;
  #writing: Promise<void> | undefined;

  constructor(stream: ByteStream) {
    super({ allowHalfOpen: true, decodeStrings: true });
    this.#stream = stream;
  }

  override _read(): void {
    this.#reading ??= this.#stream.read(this.#buffer)
      .then(this.#onRead, this.#onReadError);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    this.#writeAll(chunk, done);
  }

  /** A head and its payload travel in one write. */
  override _writev(chunks: Chunk[], done: Done): void {
    this.#writeAll(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    closeQuietly(this.#stream);
    Promise.all([this.#reading, this.#writing]).then(() => done(error));
  }

  readonly #onRead = (count: number | null): void => {
    this.#reading = undefined;
    if (this.destroyed) return;
    if (count === null) return void this.push(null);
    // The reader may keep views of what it is given, so it gets a copy.
    const bytes = Buffer.from(this.#buffer.subarray(0, count));
    if (count === this.#buffer.length && count < MOST_BUFFER) {
      this.#buffer = new Uint8Array(count * 2);
    }
    this.push(bytes);
  };

  readonly #onReadError = (error: unknown): void => {
    this.#reading = undefined;
    this.destroy(asError(error));
  };

  #writeAll(bytes: Uint8Array, done: Done): void {
    this.#writing = this.#stream.write(bytes).then((count) => {
      if (count < bytes.length) {
        return this.#writeAll(bytes.subarray(count), done);
      }
      this.#writing = undefined;
      done();
    }, (error) => {
      this.#writing = undefined;
      done(asError(error));
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * The way round `Deno.startTls`, which takes no client certificate, cannot leave
 * verification out, and refuses a server's certificate that is marked as an
 * authority's even where it is trusted itself: node:tls over the same stream.
 *
 * Not over a socket of node:net: there node:tls loses the end of a stream that
 * is read more slowly than it comes, and the end of the connection is not seen.
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

  /** Runs the TLS handshake; the stream is closed on failure. */
  secure(
    stream: ByteStream,
    host: string,
    alpn: readonly string[],
  ): Promise<Connected> {
    return new Promise((resolve, reject) => {
      const duplex = new StreamDuplex(stream);
      const secured = tls.connect({
        // A server name is never an address (RFC 6066 section 3).
        ...(isAddress(host) ? { host } : { servername: host, host }),
        ...(alpn.length > 0 ? { ALPNProtocols: [...alpn] } : {}),
        secureContext: this.#context,
        rejectUnauthorized: !this.#insecure,
        socket: duplex,
      });
      const fail = (error: Error) => {
        duplex.destroy();
        reject(error);
      };
      // The user of the stream gets errors in its own way; without any
      // listener an error that comes in between would end the process.
      secured.on("error", () => {});
      duplex.on("error", (error) => secured.destroy(error));
      refuseTruncation(duplex, secured);
      secured.once("error", fail);
      secured.once(
        "close",
        () => fail(new Deno.errors.UnexpectedEof("closed in the handshake")),
      );
      secured.once("secureConnect", () => {
        secured.off("error", fail);
        const { alpnProtocol: protocol } = secured;
        const stream = new SocketStream(secured, duplex);
        resolve(protocol ? { stream, protocol } : { stream });
      });
    });
  }
}

/**
 * The end of the stream below is no end of what TLS carries: anybody on the way
 * could have made it (RFC 8446 section 6.1). node:tls takes it for one.
 */
function refuseTruncation(duplex: StreamDuplex, secured: tls.TLSSocket): void {
  // Before the library's own listener: by now it has seen all that came.
  duplex.prependListener("end", () => {
    if (hasEnded(secured)) return;
    const message = "peer closed connection without sending TLS close_notify";
    secured.destroy(new Deno.errors.UnexpectedEof(message));
  });
}

/** The server's close_notify came; `readableEnded` waits until all was read. */
function hasEnded(socket: tls.TLSSocket): boolean {
  const { _readableState: state } = socket as unknown as {
    readonly _readableState: { readonly ended: boolean };
  };
  return state.ended;
}

/** A node socket as something to read from: one read is served at a time. */
class SocketStream implements ByteStream {
  readonly #socket: tls.TLSSocket;
  readonly #duplex: StreamDuplex;
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: tls.TLSSocket, duplex: StreamDuplex) {
    this.#socket = socket;
    this.#duplex = duplex;
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
          // A read of nothing shows the stream that more is expected.
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
    this.#duplex.destroy();
  }
}
