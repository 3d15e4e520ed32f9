import type { ByteStream } from "../net/byte_stream.ts";
import type { Libc } from "./libc.ts";
import type { Poller, Watched } from "./poller.ts";

const SOL_SOCKET = 1;
const SO_ERROR = 4;
/** A peer that is gone is an error of the call, not a signal. */
const MSG_NOSIGNAL = 0x4000;

interface Reading {
  readonly into: Uint8Array<ArrayBuffer>;
  readonly resolve: (count: number | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Writing {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly resolve: (count: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A connected socket that is read and written without blocking. */
export class SocketStream implements ByteStream, Watched {
  /** When the bytes of the latest read were there, on the run's clock. */
  readAt = NaN;
  readonly #libc: Libc;
  readonly #poller: Poller;
  readonly #fd: number;
  #readable = false;
  #reading: Reading | undefined;
  #writing: Writing | undefined;
  #closed = false;

  /** @param fd connected, and watched by `poller` for this stream */
  constructor(libc: Libc, poller: Poller, fd: number) {
    this.#libc = libc;
    this.#poller = poller;
    this.#fd = fd;
  }

  read(into: Uint8Array<ArrayBuffer>): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#reading = { into, resolve, reject };
      this.#poller.waits();
      if (this.#readable) this.#receive();
    });
  }

  write(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const count = this.#send(bytes);
    if (count > 0) return Promise.resolve(count);
    return new Promise((resolve, reject) => {
      this.#writing = { bytes, resolve, reject };
      this.#poller.waits();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#poller.forget(this.#fd);
    this.#libc.close(this.#fd);
    const gone = new Deno.errors.Interrupted("the socket was closed");
    this.#takeReading()?.reject(gone);
    this.#takeWriting()?.reject(gone);
  }

  ready(readable: boolean, writable: boolean, at: number): void {
    if (readable) {
      this.#readable = true;
      this.readAt = at;
      this.#receive();
    }
    if (writable && this.#writing) this.#sendRest();
  }

  #receive(): void {
    const reading = this.#reading;
    if (!reading) return;
    const { into } = reading;
    const count = Number(this.#libc.recv(this.#fd, into, into.length, 0));
    if (count < 0) {
      this.#readable = false;
      const error = this.#error();
      if (error) this.#takeReading()!.reject(error);
      return;
    }
    // A short read has emptied the socket; the next bytes are a new event. The
    // end of the stream stays readable.
    if (count > 0 && count < into.length) this.#readable = false;
    this.#takeReading()!.resolve(count === 0 ? null : count);
  }

  #send(bytes: Uint8Array<ArrayBuffer>): number {
    return Number(
      this.#libc.send(this.#fd, bytes, bytes.length, MSG_NOSIGNAL),
    );
  }

  #sendRest(): void {
    const count = this.#send(this.#writing!.bytes);
    if (count > 0) return this.#takeWriting()!.resolve(count);
    const error = this.#error();
    if (error) this.#takeWriting()!.reject(error);
  }

  #takeReading(): Reading | undefined {
    const reading = this.#reading;
    if (reading) this.#poller.waited();
    this.#reading = undefined;
    return reading;
  }

  #takeWriting(): Writing | undefined {
    const writing = this.#writing;
    if (writing) this.#poller.waited();
    this.#writing = undefined;
    return writing;
  }

  /** What is wrong with the socket; asking clears it. */
  #error(): Error | undefined {
    const value = new Int32Array(1);
    const bytes = new Uint8Array(value.buffer);
    const size = new Uint8Array(Int32Array.of(4).buffer);
    this.#libc.getsockopt(this.#fd, SOL_SOCKET, SO_ERROR, bytes, size);
    return value[0] === 0 ? undefined : new Deno.errors.ConnectionReset();
  }
}
