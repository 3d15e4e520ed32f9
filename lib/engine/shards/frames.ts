import { type ByteStream, closeQuietly } from "../../wire/net/byte_stream.ts";

const HEAD_BYTES = 4;

/** Messages over a stream of bytes: the length in four bytes, then the message. */
export class Frames {
  #pending: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** When bytes came last. */
  heardAt: number;

  constructor(
    readonly stream: ByteStream,
    readonly now: () => number,
  ) {
    this.heardAt = now();
  }

  /** Bytes that were not sent yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Writes after everything before. Rejects when the stream is broken. */
  write(message: Uint8Array): Promise<void> {
    const bytes = new Uint8Array(HEAD_BYTES + message.length);
    new DataView(bytes.buffer).setUint32(0, message.length);
    bytes.set(message, HEAD_BYTES);
    this.#waiting += bytes.length;
    const written = this.#pending.then(() => this.#write(bytes));
    this.#pending = written.catch(() => {});
    return written;
  }

  /**
   * The next message; undefined when the sender has finished.
   *
   * @param most how long it may be: before the sender has proven who it is, not long
   */
  async read(most: number): Promise<Uint8Array | undefined> {
    const head = await this.#read(HEAD_BYTES);
    if (!head) return undefined;
    const length = new DataView(head.buffer).getUint32(0);
    if (length > most) throw new Error(`a message of ${length} bytes`);
    return await this.#read(length);
  }

  close(): void {
    closeQuietly(this.stream);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      const written = await this.stream.write(left);
      left = left.subarray(written);
      this.#waiting -= written;
    }
  }

  async #read(length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length);
    let have = 0;
    while (have < length) {
      const read = await this.stream.read(bytes.subarray(have));
      if (read === null) return undefined;
      have += read;
      this.heardAt = this.now();
    }
    return bytes;
  }
}
