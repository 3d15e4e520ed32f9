import {
  CLOSE,
  FIN,
  MASKED,
  MOST_CONTROL_BYTES,
  MOST_MESSAGE_BYTES,
  OPCODE,
  RESERVED,
  WebSocketError,
} from "./frame.ts";

/** The result of `next` when more bytes are needed. */
export const INCOMPLETE = -1;

const NOTHING = new Uint8Array(0);
const FIRST_BYTES = 512;
/** A buffer over this size is given back once it is empty. */
const KEPT_BYTES = 64 * 1024;

/**
 * Puts messages together from bytes that come in any pieces. A message of one
 * frame is left where it lies; only fragments are copied. Where the payload of
 * the latest one is can be read from the reader itself, until its next call: an
 * object and a view for each message would cost as much as the rest of it.
 */
export class FrameReader {
  payloadBytes: Uint8Array = NOTHING;
  payloadStart = 0;
  payloadEnd = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #start = 0;
  #end = 0;
  /** Opcode of the message whose fragments come; 0 when none is open. */
  #opcode = 0;
  #kept = NOTHING;
  #keptBytes = 0;

  /** @param rest bytes that came with the response to the handshake */
  constructor(rest: Uint8Array = NOTHING) {
    if (rest.length > this.#bytes.length) {
      this.#bytes = new Uint8Array(rest.length);
    }
    this.#bytes.set(rest);
    this.#end = rest.length;
  }

  /** Where the next bytes from the socket go; never empty. */
  room(): Uint8Array<ArrayBuffer> {
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
      if (this.#bytes.length > KEPT_BYTES) {
        this.#bytes = new Uint8Array(FIRST_BYTES);
      }
      return this.#bytes;
    }
    if (this.#end === this.#bytes.length) this.#makeRoom();
    return this.#bytes.subarray(this.#end);
  }

  /** Takes `count` bytes that were put into `room()`. */
  take(count: number): void {
    this.#end += count;
    // What fills the buffer is likely more than it holds.
    if (this.#end === this.#bytes.length && this.#start === 0) this.#makeRoom();
  }

  /** The payload as an array of its own, which holds until the next call. */
  get payload(): Uint8Array {
    return this.payloadBytes.subarray(this.payloadStart, this.payloadEnd);
  }

  /**
   * The opcode of the next control frame or whole message; `INCOMPLETE` when
   * more bytes are needed.
   *
   * @throws {WebSocketError} when the server breaks a rule
   */
  next(): number {
    for (;;) {
      const first = this.#frame();
      if (first === INCOMPLETE) return INCOMPLETE;
      const opcode = first & 0x0f;
      if (opcode >= OPCODE.CLOSE) return opcode;
      const fragment = opcode === OPCODE.CONTINUATION;
      if (fragment !== (this.#opcode !== 0)) {
        throw broken(
          fragment
            ? "a continuation frame has no message to continue"
            : "a message begins before the one before it has ended",
        );
      }
      const last = (first & FIN) !== 0;
      if (last && !fragment) return opcode;
      if (!fragment) this.#opcode = opcode;
      this.#keep();
      if (last) return this.#whole();
    }
  }

  /** Finds the payload of the next frame; returns the frame's first byte. */
  #frame(): number {
    const bytes = this.#bytes;
    const start = this.#start;
    const available = this.#end - start;
    if (available < 2) return INCOMPLETE;
    const first = bytes[start]!;
    const second = bytes[start + 1]!;
    checkHead(first, second);
    const short = second & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (available < head) return INCOMPLETE;
    const length = short < 126 ? short : longLength(bytes, start, head);
    const opcode = first & 0x0f;
    if (
      opcode < OPCODE.CLOSE && length + this.#keptBytes > MOST_MESSAGE_BYTES
    ) {
      throw new WebSocketError(
        CLOSE.TOO_BIG,
        `a message is longer than the ${MOST_MESSAGE_BYTES} bytes that are read`,
      );
    }
    if (available < head + length) return INCOMPLETE;
    this.#start = start + head + length;
    this.payloadBytes = bytes;
    this.payloadStart = start + head;
    this.payloadEnd = this.#start;
    return first;
  }

  /** Appended to one buffer: fragments may be many and tiny. */
  #keep(): void {
    const { payload } = this;
    const length = this.#keptBytes + payload.length;
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(this.#kept.length * 2, length));
      larger.set(this.#kept.subarray(0, this.#keptBytes));
      this.#kept = larger;
    }
    this.#kept.set(payload, this.#keptBytes);
    this.#keptBytes = length;
  }

  #whole(): number {
    const opcode = this.#opcode;
    this.payloadBytes = this.#kept;
    this.payloadStart = 0;
    this.payloadEnd = this.#keptBytes;
    this.#opcode = 0;
    this.#kept = NOTHING;
    this.#keptBytes = 0;
    return opcode;
  }

  /** Moves what is left to the front; doubles the buffer when that is not enough. */
  #makeRoom(): void {
    const left = this.#end - this.#start;
    const into = left * 2 > this.#bytes.length
      ? new Uint8Array(this.#bytes.length * 2)
      : this.#bytes;
    into.set(this.#bytes.subarray(this.#start, this.#end));
    this.#bytes = into;
    this.#start = 0;
    this.#end = left;
  }
}

/** RFC 6455 sections 5.1, 5.2 and 5.5. */
function checkHead(first: number, second: number): void {
  const opcode = first & 0x0f;
  if (first & RESERVED) throw broken("a reserved bit is set");
  if (second & MASKED) throw broken("a frame of the server is masked");
  if (
    opcode > OPCODE.PONG || (opcode > OPCODE.BINARY && opcode < OPCODE.CLOSE)
  ) {
    throw broken(`there is no opcode ${opcode}`);
  }
  if (opcode < OPCODE.CLOSE) return;
  if (!(first & FIN)) throw broken("a control frame is fragmented");
  if ((second & 0x7f) > MOST_CONTROL_BYTES) {
    throw broken(
      `a control frame is longer than ${MOST_CONTROL_BYTES} bytes`,
    );
  }
}

function longLength(bytes: Uint8Array, start: number, head: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  if (head === 4) return view.getUint16(2);
  return view.getUint32(2) * 2 ** 32 + view.getUint32(6);
}

function broken(why: string): WebSocketError {
  return new WebSocketError(CLOSE.PROTOCOL_ERROR, why);
}
