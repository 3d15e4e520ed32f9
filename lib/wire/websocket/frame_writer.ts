import { FIN, MASKED, OPCODE } from "./frame.ts";

/** Room for the head of any frame, and for its payload to begin at a word. */
const MOST_HEAD = 16;
const FIRST_BYTES = 256;
/** A buffer over this size is given back once it is written. */
const KEPT_BYTES = 4_096;

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

/**
 * Frames on their way out, one after the other in one buffer.
 *
 * A payload begins at a multiple of four bytes, so that it is masked a word at a
 * time; up to three bytes before the head of a frame that follows another one
 * are closed up afterwards.
 */
export class FrameWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #start = 0;
  #end = 0;

  get empty(): boolean {
    return this.#start === this.#end;
  }

  /** A whole text message. */
  text(text: string): void {
    // A character takes at most three bytes of UTF-8.
    const payload = this.#room(text.length * 3);
    const { written } = encoder.encodeInto(
      text,
      this.#bytes.subarray(payload),
    );
    this.#frame(OPCODE.TEXT, payload, written);
  }

  /** A control frame. */
  control(opcode: number, payload: Uint8Array): void {
    const at = this.#room(payload.length);
    this.#bytes.set(payload, at);
    this.#frame(opcode, at, payload.length);
  }

  /** Hands over what was written; holds until the next frame. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(this.#start, this.#end);
    this.#start = 0;
    this.#end = 0;
    return taken;
  }

  /** Gives back a large buffer that is not needed any more. */
  shrink(): void {
    if (this.#bytes.length > KEPT_BYTES) {
      this.#bytes = new Uint8Array(FIRST_BYTES);
    }
  }

  /** Makes room for a frame and returns where its payload goes. */
  #room(most: number): number {
    const payload = (this.#end + MOST_HEAD + 3) & ~3;
    if (payload + most > this.#bytes.length) {
      const size = Math.max(this.#bytes.length * 2, payload + most);
      const larger = new Uint8Array((size + 3) & ~3);
      larger.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = larger;
    }
    return payload;
  }

  /** Masks a payload in its place and puts its head before it. */
  #frame(opcode: number, payload: number, length: number): void {
    const bytes = this.#bytes;
    const mask = newMask();
    maskInPlace(bytes, payload, length, mask);
    const head = payload - headLength(length);
    writeHead(bytes, head, opcode, length);
    new DataView(bytes.buffer).setUint32(payload - 4, mask, true);
    const end = payload + length;
    if (this.empty) this.#start = head;
    else bytes.copyWithin(this.#end, head, end);
    this.#end = this.#start === head ? end : this.#end + end - head;
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

/** `at` is a multiple of four; bytes after the payload may change too. */
function maskInPlace(
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
  length: number,
  mask: number,
): void {
  const whole = length >> 2;
  const view = new Uint32Array(bytes.buffer, at, whole);
  for (let index = 0; index < whole; index++) view[index]! ^= mask;
  for (let index = whole * 4; index < length; index++) {
    bytes[at + index]! ^= mask >>> (8 * (index & 3));
  }
}
