import { Http2Error } from "./error.ts";

/** RFC 9113 section 6. */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Flags of a frame; what 1 means depends on the type. */
export const FLAG = {
  ACK: 0x1,
  END_STREAM: 0x1,
  END_HEADERS: 0x4,
  PADDED: 0x8,
  PRIORITY: 0x20,
} as const;

/** Settings, by identifier (RFC 9113 section 6.5.2). */
export const SETTING = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

/** Bytes of a frame before its payload (RFC 9113 section 4.1). */
export const FRAME_HEAD = 9;

/** The most a payload may hold unless a setting says otherwise. */
export const FIRST_FRAME_SIZE = 16_384;

/** The first window of a connection and of a stream (RFC 9113 section 6.9.2). */
export const FIRST_WINDOW = 65_535;

/** No window is ever larger (RFC 9113 section 6.9.1). */
export const MOST_WINDOW = 2 ** 31 - 1;

/** The name of a frame type for a person. */
export function frameName(type: number): string {
  const known = Object.entries(FRAME).find(([, each]) => each === type);
  return known ? known[0] : `unknown type ${type}`;
}

/** A frame that lies whole in the reader's buffer. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** The payload, in the reader's `bytes`. */
  readonly start: number;
  readonly end: number;
}

const FIRST_BYTES = 1_024;
/** The first bytes of a TLS record that is an alert, of any version (RFC 8446 section 5.1). */
const TLS_ALERT = 21;
const TLS_VERSION = 3;
const HTTP1 = new TextEncoder().encode("HTTP/1.");

/**
 * Cuts bytes that come in any pieces into frames. The bytes go straight from
 * the socket into `bytes`; a frame is read where it lies.
 */
export class FrameReader {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_BYTES);
  readonly #frame = { type: 0, flags: 0, stream: 0, start: 0, end: 0 };
  #start = 0;
  #end = 0;
  /** A frame has come whole: the server speaks HTTP/2. */
  #began = false;

  /** Where the next bytes from the socket go; never empty. */
  room(): Uint8Array<ArrayBuffer> {
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
      return this.bytes;
    }
    this.#makeRoom();
    return this.bytes.subarray(this.#end);
  }

  /** Takes `count` bytes that were put into `room()`. */
  take(count: number): void {
    this.#end += count;
    // What filled the buffer is likely a long body: larger reads are fewer.
    if (this.#end === this.bytes.length) this.#grow(this.bytes.length * 2);
  }

  /**
   * The next whole frame, which holds until the next call; undefined when more
   * bytes are needed.
   *
   * @throws {Http2Error} `FRAME_SIZE_ERROR` when it is longer than was allowed
   */
  next(): Frame | undefined {
    const { bytes } = this;
    const start = this.#start;
    if (this.#end - start < FRAME_HEAD) {
      // An alert is shorter than the head of a frame.
      if (this.#end - start > 1) refuseTls(bytes, start);
      return undefined;
    }
    const length = (bytes[start]! << 16) | (bytes[start + 1]! << 8) |
      bytes[start + 2]!;
    const type = bytes[start + 3]!;
    if (length > FIRST_FRAME_SIZE) {
      refuseTls(bytes, start);
      throw this.#tooLong(start, length);
    }
    const end = start + FRAME_HEAD + length;
    if (end > this.#end) return undefined;
    this.#began = true;
    const frame = this.#frame;
    frame.type = type;
    frame.flags = bytes[start + 4]!;
    frame.stream = uint31(bytes, start + 5);
    frame.start = start + FRAME_HEAD;
    frame.end = end;
    this.#start = end;
    return frame;
  }

  #tooLong(at: number, length: number): Http2Error {
    const type = this.bytes[at + 3]!;
    const instead = saysHttp1(this.bytes, at)
      ? "it sends HTTP/1"
      : !this.#began && type !== FRAME.SETTINGS
      ? "its first bytes are no SETTINGS frame"
      : undefined;
    return instead === undefined
      ? new Http2Error(
        "FRAME_SIZE_ERROR",
        `${
          frameName(type)
        } of ${length} bytes is longer than the ${FIRST_FRAME_SIZE} that are allowed`,
      )
      : new Http2Error(
        "PROTOCOL_ERROR",
        `the server does not speak HTTP/2: ${instead}`,
      );
  }

  #makeRoom(): void {
    if (this.#end < this.bytes.length && this.#start === 0) return;
    this.bytes.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
  }

  #grow(needed: number): void {
    const most = FRAME_HEAD + FIRST_FRAME_SIZE;
    this.#makeRoom();
    if (this.bytes.length >= most) return;
    const larger = new Uint8Array(Math.min(needed, most));
    larger.set(this.bytes.subarray(0, this.#end));
    this.bytes = larger;
  }
}

/** Throws when the bytes are a TLS alert, which a frame would be too long to begin with. */
function refuseTls(bytes: Uint8Array, at: number): void {
  if (bytes[at] !== TLS_ALERT || bytes[at + 1] !== TLS_VERSION) return;
  throw new Http2Error(
    "PROTOCOL_ERROR",
    "the server speaks TLS; see `grpcs://` and `https://`",
  );
}

/** The beginning of the response of an HTTP/1.1 server, which does not know the preface. */
function saysHttp1(bytes: Uint8Array, at: number): boolean {
  return HTTP1.every((byte, index) => bytes[at + index] === byte);
}

/** A number of 31 bits; the first bit means nothing. */
export function uint31(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) & 0x7fffffff;
}

export function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) |
    bytes[at + 3]!) >>> 0;
}
