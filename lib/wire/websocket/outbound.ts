import type { ByteStream } from "../net/byte_stream.ts";
import { FrameWriter } from "./frame_writer.ts";

/**
 * Frames on their way out. They are collected while a write is under way and
 * leave together after it.
 */
export class Outbound {
  readonly #stream: ByteStream;
  #filling: FrameWriter | undefined;
  #leaving: FrameWriter | undefined;
  /** What is left of the bytes that are being written. */
  #unwritten: Uint8Array<ArrayBuffer> | undefined;
  /** For whom the frames are, of those under way and of those that wait. */
  #whenLeft: (() => void)[] | undefined;
  #whenWritten: (() => void)[] | undefined;
  #closed = false;
  /** Bytes that are with the socket. */
  sent = 0;

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /**
   * Sends a text message.
   *
   * @param written called when it is with the socket; never when the connection
   *   is gone first
   */
  text(text: string, written?: () => void): void {
    this.#writer().text(text);
    this.#flush(written);
  }

  /** The same with a control frame. */
  control(opcode: number, payload: Uint8Array, written?: () => void): void {
    this.#writer().control(opcode, payload);
    this.#flush(written);
  }

  /** Writes nothing more. */
  close(): void {
    this.#closed = true;
    this.#filling?.release();
    this.#filling = undefined;
  }

  /** Where the next frame goes. */
  #writer(): FrameWriter {
    return this.#filling ??= FrameWriter.take();
  }

  #flush(written?: () => void): void {
    if (written) (this.#whenWritten ??= []).push(written);
    if (this.#leaving || this.#closed) return;
    const leaving = this.#leaving = this.#filling!;
    this.#filling = undefined;
    this.#whenLeft = this.#whenWritten;
    this.#whenWritten = undefined;
    this.#write(leaving.bytes);
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#unwritten = bytes;
    this.#stream.write(bytes).then(this.#onWritten, ignore);
  }

  readonly #onWritten = (count: number): void => {
    this.sent += count;
    const bytes = this.#unwritten!;
    if (count < bytes.length) return this.#write(bytes.subarray(count));
    this.#leaving!.release();
    this.#leaving = undefined;
    const left = this.#whenLeft;
    this.#whenLeft = undefined;
    if (left) { for (const each of left) each(); }
    if (this.#filling) this.#flush();
  };
}

/** The read side says how the connection ended. */
function ignore(): void {}
