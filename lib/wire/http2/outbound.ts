import type { ByteStream } from "../net/byte_stream.ts";
import { ByteWriter } from "./frames/byte_writer.ts";
import { errorCode, type ErrorName } from "./frames/error.ts";
import {
  FIRST_WINDOW,
  FLAG,
  FRAME,
  FRAME_HEAD,
  SETTING,
} from "./frames/frame_reader.ts";

/** "PRI * HTTP/2.0", blank line, "SM" (RFC 9113 section 3.4). */
const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A buffer over this size is given back once it is written. */
const KEPT_BYTES = 4_096;

/**
 * Frames on their way out. They are collected while a write is under way and
 * leave together after it.
 */
export class Outbound {
  /** Bytes handed to the socket since the connection began. */
  sent = 0;
  readonly #stream: ByteStream;
  readonly #onWritten: () => void;
  #filling = new ByteWriter();
  #leaving = new ByteWriter();
  #writing = false;
  #onEnd: (() => void) | undefined;

  /** @param onWritten everything that was flushed is with the socket */
  constructor(stream: ByteStream, onWritten: () => void) {
    this.#stream = stream;
    this.#onWritten = onWritten;
  }

  /** The opening of a connection: the preface, settings, and the whole window. */
  preface(
    settings: readonly (readonly [id: number, value: number])[],
    window: number,
  ): void {
    this.#filling.append(PREFACE);
    this.#head(settings.length * 6, FRAME.SETTINGS, 0, 0);
    for (const [id, value] of settings) {
      this.#filling.uint16(id);
      this.#filling.uint32(value);
    }
    this.windowUpdate(0, window - FIRST_WINDOW);
  }

  settingsAck(): void {
    this.#head(0, FRAME.SETTINGS, FLAG.ACK, 0);
  }

  /** The same eight bytes go back. */
  pingAck(bytes: Uint8Array, start: number): void {
    this.#head(8, FRAME.PING, FLAG.ACK, 0);
    this.#filling.append(bytes.subarray(start, start + 8));
  }

  windowUpdate(stream: number, count: number): void {
    this.#head(4, FRAME.WINDOW_UPDATE, 0, stream);
    this.#filling.uint32(count);
  }

  resetStream(stream: number, error: ErrorName): void {
    this.#head(4, FRAME.RST_STREAM, 0, stream);
    this.#filling.uint32(errorCode(error));
  }

  /** No stream of the server's was ever looked at: push is off. */
  goAway(error: ErrorName): void {
    this.#head(8, FRAME.GOAWAY, 0, 0);
    this.#filling.uint32(0);
    this.#filling.uint32(errorCode(error));
  }

  /**
   * A header block, in as many frames as it takes.
   *
   * @param encode appends the block
   */
  headers(
    stream: number,
    encode: (out: ByteWriter) => void,
    endStream: boolean,
    mostFrame: number,
  ): void {
    const out = this.#filling;
    const head = out.reserve(FRAME_HEAD);
    encode(out);
    const start = head + FRAME_HEAD;
    const end = endStream ? FLAG.END_STREAM : 0;
    if (out.length - start <= mostFrame) {
      const flags = end | FLAG.END_HEADERS;
      return writeHead(
        out.bytes,
        head,
        out.length - start,
        FRAME.HEADERS,
        flags,
        stream,
      );
    }
    const block = out.copyFrom(start);
    out.length = head;
    for (let at = 0; at < block.length; at += mostFrame) {
      const part = block.subarray(at, at + mostFrame);
      const last = at + mostFrame >= block.length ? FLAG.END_HEADERS : 0;
      if (at === 0) this.#head(part.length, FRAME.HEADERS, end | last, stream);
      else this.#head(part.length, FRAME.CONTINUATION, last, stream);
      out.append(part);
    }
  }

  data(stream: number, bytes: Uint8Array, endStream: boolean): void {
    const flags = endStream ? FLAG.END_STREAM : 0;
    this.#head(bytes.length, FRAME.DATA, flags, stream);
    this.#filling.append(bytes);
  }

  /** Begins to write what was collected, unless a write is under way. */
  flush(): void {
    if (this.#writing || this.#filling.length === 0) return;
    const out = this.#filling;
    this.#filling = this.#leaving;
    this.#leaving = out;
    this.#writing = true;
    this.#write(out.written);
  }

  /** Calls `then` once what was collected is written, or cannot be. */
  end(then: () => void): void {
    this.#onEnd = then;
    this.flush();
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#stream.write(bytes).then((count) => {
      this.sent += count;
      if (count < bytes.length) return this.#write(bytes.subarray(count));
      this.#leaving.clear(KEPT_BYTES);
      this.#writing = false;
      if (this.#filling.length > 0) return this.flush();
      this.#onWritten();
      this.#onEnd?.();
    }, () => {
      this.#onEnd?.();
      // The read side says why: an early response may be there.
      this.#writing = true;
    });
  }

  #head(length: number, type: number, flags: number, stream: number): void {
    const at = this.#filling.reserve(FRAME_HEAD);
    writeHead(this.#filling.bytes, at, length, type, flags, stream);
  }
}

/** RFC 9113 section 4.1. */
function writeHead(
  into: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  into[at] = length >>> 16;
  into[at + 1] = length >>> 8;
  into[at + 2] = length;
  into[at + 3] = type;
  into[at + 4] = flags;
  into[at + 5] = stream >>> 24;
  into[at + 6] = stream >>> 16;
  into[at + 7] = stream >>> 8;
  into[at + 8] = stream;
}

/** The settings that this side announces. */
export function ownSettings(
  window: number,
  mostFields: number,
): readonly (readonly [id: number, value: number])[] {
  return [
    [SETTING.ENABLE_PUSH, 0],
    [SETTING.INITIAL_WINDOW_SIZE, window],
    [SETTING.MAX_HEADER_LIST_SIZE, mostFields],
  ];
}
