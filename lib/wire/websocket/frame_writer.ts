import type { ByteStream } from "../net/byte_stream.ts";
import type { Outbox, Sender } from "../net/outbox.ts";
import { FIN, MASKED, OPCODE } from "./frame.ts";

/** Room for the head of any frame, and for its payload to begin at a word. */
const MOST_HEAD = 16;
const FIRST_BYTES = 256;
/** A writer with a larger buffer is not used again. */
const KEPT_BYTES = 4_096;
/** Writers that wait to be used again; more are rarely at work at once. */
const MOST_IDLE = 64;
/** `TextEncoder` is faster for a longer text. */
const SHORT_TEXT = 256;

/** Random words, drawn many at a time. */
const words = new Uint32Array(256);
let drawn = words.length;

/** A mask that cannot be predicted (RFC 6455 section 10.3). */
function newMask(): number {
  if (drawn === words.length) {
    crypto.getRandomValues(words);
    drawn = 0;
  }
  return words[drawn++]!;
}

const encoder = new TextEncoder();

/** Those of all connections of a thread: one that sends nothing needs none. */
const idle: FrameWriter[] = [];

/**
 * Frames on their way out, one after the other in one buffer.
 *
 * A payload begins at a multiple of four bytes, so that it is masked a word at a
 * time; up to three bytes before the head of a frame that follows another one
 * are closed up afterwards.
 */
class FrameWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #words = new Uint32Array(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  /** The frame handed over last; the next one is often as long. */
  #taken = this.#bytes;
  #takenStart = 0;
  #takenEnd = FIRST_BYTES;

  /** An empty one, for the frames of one write. */
  static take(): FrameWriter {
    return idle.pop() ?? new FrameWriter();
  }

  /** Gives it back; what was written is with the socket. */
  release(): void {
    if (this.#bytes.length > KEPT_BYTES || idle.length === MOST_IDLE) return;
    this.#start = 0;
    this.#end = 0;
    idle.push(this);
  }

  /** The bytes written; they hold until the writer is released. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const start = this.#start;
    const end = this.#end;
    if (start !== this.#takenStart || end !== this.#takenEnd) {
      this.#taken = this.#bytes.subarray(start, end);
      this.#takenStart = start;
      this.#takenEnd = end;
    }
    return this.#taken;
  }

  /** A whole text message; returns the bytes of its frame. */
  text(text: string): number {
    const { length } = text;
    // A character takes at most three bytes of UTF-8.
    const payload = this.#room(length * 3);
    const written = length <= SHORT_TEXT && this.#ascii(text, payload)
      ? length
      : encoder.encodeInto(text, this.#bytes.subarray(payload)).written;
    return this.#frame(OPCODE.TEXT, payload, written);
  }

  /** A control frame; returns its bytes. */
  control(opcode: number, payload: Uint8Array): number {
    const at = this.#room(payload.length);
    this.#bytes.set(payload, at);
    return this.#frame(opcode, at, payload.length);
  }

  /** Writes a text that is ASCII; false when it is not. */
  #ascii(text: string, at: number): boolean {
    const bytes = this.#bytes;
    let all = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      all |= code;
      bytes[at + index] = code;
    }
    return all < 0x80;
  }

  /** Makes room for a frame and returns where its payload goes. */
  #room(most: number): number {
    const payload = (this.#end + MOST_HEAD + 3) & ~3;
    if (payload + most > this.#bytes.length) {
      const size = Math.max(this.#bytes.length * 2, payload + most);
      const larger = new Uint8Array((size + 3) & ~3);
      larger.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = larger;
      this.#words = new Uint32Array(larger.buffer);
      this.#takenEnd = -1;
    }
    return payload;
  }

  /** Masks a payload in its place and puts its head before it. */
  #frame(opcode: number, payload: number, length: number): number {
    const bytes = this.#bytes;
    const mask = newMask();
    this.#mask(payload, length, mask);
    const head = payload - headLength(length);
    writeHead(bytes, head, opcode, length);
    this.#words[(payload >> 2) - 1] = mask;
    const end = payload + length;
    if (this.#start === this.#end) this.#start = head;
    else bytes.copyWithin(this.#end, head, end);
    this.#end = this.#start === head ? end : this.#end + end - head;
    return end - head;
  }

  /** `at` is a multiple of four, and every machine it runs on is little-endian. */
  #mask(at: number, length: number, mask: number): void {
    const whole = length >> 2;
    const first = at >> 2;
    const words = this.#words;
    for (let index = first; index < first + whole; index++) {
      words[index]! ^= mask;
    }
    const bytes = this.#bytes;
    for (let index = whole * 4; index < length; index++) {
      bytes[at + index]! ^= mask >>> (8 * (index & 3));
    }
  }
}

function headLength(payload: number): number {
  return payload < 126 ? 6 : payload < 65_536 ? 8 : 14;
}

/** RFC 6455 section 5.2, without the mask. */
function writeHead(
  into: Uint8Array,
  at: number,
  opcode: number,
  length: number,
): void {
  into[at] = FIN | opcode;
  if (length < 126) {
    into[at + 1] = MASKED | length;
    return;
  }
  const wide = length >= 65_536;
  into[at + 1] = MASKED | (wide ? 127 : 126);
  const view = new DataView(into.buffer);
  if (wide) {
    view.setUint32(at + 2, Math.floor(length / 2 ** 32));
    view.setUint32(at + 6, length);
  } else view.setUint16(at + 2, length);
}

/**
 * Frames on their way out. They are collected until the outbox sends, or while a write is
 * under way, and leave together then.
 */
export class Outbound implements Sender {
  readonly #stream: ByteStream;
  readonly #outbox: Outbox;
  #filling: FrameWriter | undefined;
  #leaving: FrameWriter | undefined;
  /** The rest of the bytes that are being written. */
  #unwritten: Uint8Array<ArrayBuffer> | undefined;
  /** For whom the frames are, of those under way and of those that wait. */
  #whenLeft: (() => void)[] | undefined;
  #whenWritten: (() => void)[] | undefined;
  #closed = false;
  #inOutbox = false;
  /** Bytes of all frames so far, of those that wait too. */
  sent = 0;
  /** One of those that wait is a text message. */
  #hasText = false;
  /** When the latest text message left; NaN before. */
  leftAt = NaN;

  constructor(stream: ByteStream, outbox: Outbox) {
    this.#stream = stream;
    this.#outbox = outbox;
  }

  /**
   * Sends a text message.
   *
   * @param written called when it is with the socket; never when the connection
   *   is gone first
   */
  text(text: string, written?: () => void): void {
    this.sent += this.#writer().text(text);
    this.#hasText = true;
    this.#flush(written);
  }

  /** The same with a control frame. */
  control(opcode: number, payload: Uint8Array, written?: () => void): void {
    this.sent += this.#writer().control(opcode, payload);
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
    if (this.#leaving || this.#closed || this.#inOutbox) return;
    this.#inOutbox = true;
    this.#outbox.add(this);
  }

  /** For the outbox. */
  send(now: number): void {
    this.#inOutbox = false;
    const leaving = this.#leaving = this.#filling;
    if (!leaving) return;
    this.#filling = undefined;
    this.#whenLeft = this.#whenWritten;
    this.#whenWritten = undefined;
    // A PONG says nothing of the message before it.
    if (this.#hasText) this.leftAt = now;
    this.#hasText = false;
    this.#write(leaving.bytes);
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#unwritten = bytes;
    this.#stream.write(bytes).then(this.#onWritten, ignore);
  }

  readonly #onWritten = (count: number): void => {
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
