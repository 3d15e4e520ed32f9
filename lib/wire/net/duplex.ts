import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { type ByteStream, closeQuietly } from "./byte_stream.ts";

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
