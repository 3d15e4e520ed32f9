import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { ByteStream } from "./byte_stream.ts";

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
 * Ending the writing side says nothing to the peer: a `ByteStream` has no half
 * close. Destroying it closes the byte stream, and `close` is emitted only when
 * the read and the write under way have ended, so that nothing is left behind.
 */
export class StreamDuplex extends Duplex {
  readonly #stream: ByteStream;
  readonly #now: () => number;
  #buffer = new Uint8Array(LEAST_BUFFER);
  #reading: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  /** Bytes since the start. */
  received = 0;
  sent = 0;
  /** The peer or the network ended it, not this side. */
  over = false;
  /** When the first and the latest bytes came, on the clock; NaN before. */
  firstReadAt = NaN;
  readAt = NaN;
  /** When the latest write was handed over whole; NaN before. */
  wroteAt = NaN;

  /**
   * @param now the clock the times are taken from, in milliseconds
   */
  constructor(
    stream: ByteStream,
    now: () => number,
  ) {
    super({ allowHalfOpen: true, decodeStrings: true });
    this.#stream = stream;
    this.#now = now;
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
    try {
      this.#stream.close();
    } catch {
      // Already gone: the stream was the peer's to end as well.
    }
    Promise.all([this.#reading, this.#writing]).then(() => done(error));
  }

  readonly #onRead = (count: number | null): void => {
    this.#reading = undefined;
    if (this.destroyed) return;
    if (count === null) {
      this.over = true;
      this.push(null);
      return;
    }
    this.readAt = this.#now();
    if (this.received === 0) this.firstReadAt = this.readAt;
    this.received += count;
    // Whoever reads may keep views of what it is given, so it gets a copy.
    const bytes = Buffer.from(this.#buffer.subarray(0, count));
    if (count === this.#buffer.length && count < MOST_BUFFER) {
      this.#buffer = new Uint8Array(count * 2);
    }
    this.push(bytes);
  };

  readonly #onReadError = (error: unknown): void => {
    this.#reading = undefined;
    this.over ||= !this.destroyed;
    this.destroy(asError(error));
  };

  #writeAll(bytes: Uint8Array, done: Done): void {
    this.#writing = this.#stream.write(bytes).then((count) => {
      this.sent += count;
      if (count < bytes.length) {
        return this.#writeAll(bytes.subarray(count), done);
      }
      this.#writing = undefined;
      this.wroteAt = this.#now();
      done();
    }, (error) => {
      this.#writing = undefined;
      this.over ||= !this.destroyed;
      done(asError(error));
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
