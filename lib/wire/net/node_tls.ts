import { Duplex } from "node:stream";
import * as tls from "node:tls";
import {
  type ByteStream,
  closeQuietly,
  type Connected,
  type TlsOptions,
} from "./byte_stream.ts";
import { isAddress } from "./host.ts";

/** Bytes that a step of the handshake reads at most. */
const FLIGHT = 4 * 1024;
/** Bytes that the engine takes at once: three records. */
const MOST_AT_ONCE = 3 * 16 * 1024;
const NOTHING = new Uint8Array(0);
/** Where the engines of a thread put plain bytes, a part of a read at a time. */
const PLAIN = new Uint8Array(16 * 1024);

/**
 * The TLS below a node socket, which node calls `_handle`: records in, bytes
 * out, and the other way round, at once and without a stream. It is no public
 * interface; what is used of it is all here, and held by the tests.
 */
interface Engine {
  /** Called when a part of what `readBuffer` found is in the buffer, and at close_notify. */
  onread: () => void;
  useUserBuffer(buffer: Uint8Array): void;
  /** Plain bytes found so far. */
  getBytesRead(): number;
  readStart(): void;
  readStop(): void;
  readBuffer(records: Uint8Array): void;
  /** @returns 0 unless the engine is destroyed */
  writeBuffer?(request: object, plain: Uint8Array): number;
  /** Makes the record that ends what this side says: close_notify. */
  shutdown?(request: object): void;
  /** Takes the records that are to be sent. */
  drainEncOut(): Uint8Array;
}

/** Would be called back, but the engine's work is over when the call returns. */
const REQUEST = {};

/** The socket that node:tls wants below it; no byte travels on it. */
class Nowhere extends Duplex {
  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

/**
 * The TLS of node:tls, where the platform's cannot do what is asked for: a client
 * certificate through a tunnel or without verification, and a server's certificate that
 * is marked as an authority's and trusted itself.
 *
 * Its engine alone, between this side and the same stream: with node's streams
 * around it a request costs nearly twice the CPU.
 */
export class NodeTls {
  readonly #context: tls.SecureContext;
  readonly #insecure: boolean;

  constructor(options: TlsOptions) {
    const { caCerts, cert, key, insecure } = options;
    this.#insecure = insecure;
    this.#context = tls.createSecureContext({
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
    if (insecure) return;
    // The option `ca` replaces the usual authorities, and to name them as well
    // has all of them read again for each connection: 10 ms.
    const { context } = this.#context as unknown as {
      readonly context: { addCACert(pem: string): void };
    };
    for (const authority of caCerts) context.addCACert(authority);
  }

  /** Runs the TLS handshake; the stream is closed on failure. */
  async secure(
    wire: ByteStream,
    host: string,
    alpn: readonly string[],
  ): Promise<Connected> {
    const secured = tls.connect({
      // A server name is never an address (RFC 6066 section 3).
      ...(isAddress(host) ? { host } : { servername: host, host }),
      ...(alpn.length > 0 ? { ALPNProtocols: [...alpn] } : {}),
      secureContext: this.#context,
      rejectUnauthorized: !this.#insecure,
      socket: new Nowhere(),
    });
    // Said once more as an event, which without a listener ends the process.
    secured.on("error", () => {});
    if (secured.destroyed) {
      closeQuietly(wire);
      throw secured.errored ?? closedEarly();
    }
    const stream = new TlsStream(wire, secured);
    try {
      await stream.handshake();
    } catch (error) {
      stream.close();
      throw error;
    }
    const { alpnProtocol: protocol } = secured;
    return protocol ? { stream, protocol } : { stream };
  }
}

/** TLS over `wire`: one read and one write are served at a time. */
class TlsStream implements ByteStream {
  readonly #wire: ByteStream;
  readonly #secured: tls.TLSSocket;
  readonly #engine: Engine;
  /** Where the read under way wants its bytes, records at first. */
  #into: Uint8Array = NOTHING;
  /** How many it has. */
  #count = 0;
  /** Those that found no room in it. */
  #rest: Uint8Array = NOTHING;
  /** Plain bytes that the engine has handed over. */
  #taken = 0;
  #ended = false;
  #error: Error | undefined;

  constructor(wire: ByteStream, secured: tls.TLSSocket) {
    this.#wire = wire;
    this.#secured = secured;
    secured.on("error", (error: Error) => this.#error ??= error);
    const { _handle: engine } = secured as unknown as { _handle: Engine };
    this.#engine = engine;
    // Without node's own around them, which look for records to send later on.
    delete engine.writeBuffer;
    delete engine.shutdown;
    engine.readStop();
    engine.useUserBuffer(PLAIN);
    engine.onread = this.#take;
    engine.readStart();
  }

  async handshake(): Promise<void> {
    let done = false;
    this.#secured.once("secureConnect", () => done = true);
    const flight = new Uint8Array(FLIGHT);
    while (true) {
      const { destroyed, errored } = this.#secured;
      // An alert as well.
      const records = this.#engine.drainEncOut();
      if (records.length > 0) await this.#send(records);
      if (destroyed) throw errored ?? closedEarly();
      if (done) return;
      const count = await this.#wire.read(flight);
      if (!count) throw closedEarly();
      this.#engine.readBuffer(flight.subarray(0, count));
    }
  }

  read(into: Uint8Array): Promise<number | null> {
    const rest = this.#rest;
    if (rest.length > 0) {
      const count = Math.min(rest.length, into.length);
      into.set(rest.subarray(0, count));
      this.#rest = rest.subarray(count);
      return Promise.resolve(count);
    }
    this.#into = into;
    this.#count = 0;
    return this.#next();
  }

  write(bytes: Uint8Array): Promise<number> {
    const part = bytes.length > MOST_AT_ONCE
      ? bytes.subarray(0, MOST_AT_ONCE)
      : bytes;
    if (this.#engine.writeBuffer!(REQUEST, part) !== 0) {
      return Promise.reject(this.#error ?? new Deno.errors.BadResource());
    }
    const records = this.#engine.drainEncOut();
    return this.#wire.write(records).then((count) =>
      count === records.length
        ? part.length
        : this.#send(records.subarray(count)).then(() => part.length)
    );
  }

  close(): void {
    if (!this.#secured.destroyed) {
      this.#engine.shutdown!(REQUEST);
      // As far as the system takes it at once; nothing waits for it.
      this.#wire.write(this.#engine.drainEncOut()).catch(() => {});
    }
    closeQuietly(this.#wire);
    this.#secured.destroy();
  }

  #next(): Promise<number | null> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#ended) return Promise.resolve(null);
    return this.#wire.read(this.#into).then(this.#open);
  }

  readonly #open = (
    count: number | null,
  ): number | null | Promise<number | null> => {
    if (!count) {
      // The end of the stream below is no end of what TLS carries: anybody on
      // the way could have made it (RFC 8446 section 6.1).
      throw new Deno.errors.UnexpectedEof("no close_notify");
    }
    this.#engine.readBuffer(this.#into.subarray(0, count));
    return this.#count > 0 ? this.#count : this.#next();
  };

  readonly #take = (): void => {
    const count = Math.min(
      this.#engine.getBytesRead() - this.#taken,
      PLAIN.length,
    );
    this.#taken += count;
    if (count === 0) this.#ended = true;
    else this.#put(count === PLAIN.length ? PLAIN : PLAIN.subarray(0, count));
  };

  #put(bytes: Uint8Array): void {
    const room = this.#into.length - this.#count;
    if (bytes.length <= room) {
      this.#into.set(bytes, this.#count);
      this.#count += bytes.length;
      return;
    }
    this.#into.set(bytes.subarray(0, room), this.#count);
    this.#count += room;
    this.#rest = joined(this.#rest, bytes.subarray(room));
  }

  async #send(records: Uint8Array): Promise<void> {
    let rest = records;
    while (rest.length > 0) {
      rest = rest.subarray(await this.#wire.write(rest));
    }
  }
}

function closedEarly(): Error {
  return new Deno.errors.UnexpectedEof("closed in the handshake");
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
