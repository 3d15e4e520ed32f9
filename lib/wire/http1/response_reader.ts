import { MAX_BODY_BYTES, protocolError } from "../net/wire_error.ts";
import { ChunkedBody } from "./chunked.ts";
import { Head } from "./head.ts";

/** So many bytes are kept for the next bodies: two of the longest. */
const MOST_KEPT_BYTES = 34 * 1024 * 1024;

/**
 * Buffers of long bodies, for all connections of a thread: one that is given back
 * serves the next body. Else each of them would be garbage of 16 MiB, of which the
 * collector lets a gigabyte gather before it looks.
 */
export class LargeBuffers {
  readonly #kept: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  /** A buffer of at least `size` bytes; what is in it is anybody's. */
  take(size: number): Uint8Array<ArrayBuffer> {
    let best = -1;
    for (let at = 0; at < this.#kept.length; at++) {
      const { length } = this.#kept[at]!;
      const fits = length >= size && length <= MOST_WASTE * size;
      if (fits && !(length >= (this.#kept[best]?.length ?? Infinity))) {
        best = at;
      }
    }
    if (best < 0) return new Uint8Array(size);
    const [buffer] = this.#kept.splice(best, 1);
    this.#bytes -= buffer!.length;
    return buffer!;
  }

  /** The buffer is not looked at any more: it is kept, or freed now. */
  give(buffer: Uint8Array<ArrayBuffer>): void {
    if (this.#bytes + buffer.length > MOST_KEPT_BYTES) {
      buffer.buffer.transfer(0);
      return;
    }
    this.#kept.push(buffer);
    this.#bytes += buffer.length;
  }
}

/** A small body in a large buffer would hold it. */
const MOST_WASTE = 4;

/** Of this thread. */
const largeBuffers: LargeBuffers = new LargeBuffers();

/** The size of a fresh buffer; it grows to what the responses of its connection take. */
const FIRST_BYTES = 512;

/** A buffer over this size is given back after its response. */
const KEPT_BYTES = 128 * 1024;

/** Room for more than a body that is kept: size lines of chunks, a last piece. */
const SPARE_BYTES = 128 * 1024;

/** Room for a body that is drained. */
const DRAIN_BYTES = 64 * 1024;

/** Room made on the word of a Content-Length alone; for all of it when as much came. */
const TRUSTED_BYTES = 1024 * 1024;

/** Interim responses (1xx) before the final one. */
const MAX_INTERIM = 64;
const NO_TRAILERS: readonly [name: string, value: string][] = [];

type Phase = "head" | "length" | "chunked" | "until close" | "done";

/**
 * Reads one response after the other out of bytes that come in any pieces, and keeps
 * the last: the bytes go straight from the socket into `bytes`, and stay there.
 *
 * Order of calls: `next`, then `room` and `take` in turn until
 * `take` says true or `finish` is called because the server closed.
 */
export class ResponseReader {
  readonly head = new Head();
  bytes = new Uint8Array(FIRST_BYTES);
  /** The body lies here; `bodyStart` equals `bodyEnd` when there is none. */
  bodyStart = 0;
  bodyEnd = 0;
  /** The body was longer than `MAX_BODY_BYTES`: it is drained and dropped. */
  tooLarge = false;
  /** Bytes of the body, kept or not, without its transfer coding. */
  bodyBytes = 0;
  /** The connection may serve another request after this response. */
  reusable = false;
  /** Counts responses, so that a stale view of this buffer is recognised. */
  generation = 0;
  /** Bytes of the buffer that hold something. */
  filled = 0;

  #ahead: Uint8Array<ArrayBuffer> | undefined;
  #phase: Phase = "head";
  #bodiless = false;
  #interim = 0;
  #remaining = 0;
  /** Made for the first chunked response. */
  #chunks: ChunkedBody | undefined;

  /**
   * Turns to the response that begins in `ahead()`; views of the last one are
   * invalid from here on.
   *
   * @param bodiless it is to a HEAD request
   */
  next(bodiless = false): void {
    if (this.bytes.length > KEPT_BYTES) this.#replace(FIRST_BYTES, 0);
    const last = this.bytes;
    this.bytes = this.ahead();
    if (this.bytes !== last) this.#ahead = last;
    this.head.reset(0);
    this.bodyStart = 0;
    this.bodyEnd = 0;
    this.bodyBytes = 0;
    this.tooLarge = false;
    this.reusable = false;
    this.generation++;
    this.filled = 0;
    this.#phase = "head";
    this.#bodiless = bodiless;
    this.#interim = 0;
    if (this.trailers.length > 0) this.#chunks!.reset(0);
  }

  /** Where the first bytes of the next response go, while the last one stays. */
  ahead(): Uint8Array<ArrayBuffer> {
    if (this.filled === 0) return this.bytes;
    return this.#ahead ??= new Uint8Array(FIRST_BYTES);
  }

  /** The bytes of the response; of a long one the buffer itself. */
  handOver(): Uint8Array {
    const { bytes } = this;
    if (bytes.length <= KEPT_BYTES) return bytes.slice(0, this.filled);
    // What the head says of the connection still counts.
    this.bytes = bytes.slice(0, this.bodyStart);
    return bytes;
  }

  /** Trailer fields of a chunked body, in wire order. */
  get trailers(): readonly [name: string, value: string][] {
    return this.#chunks?.trailers ?? NO_TRAILERS;
  }

  /** The phase for a person: what was being waited for. */
  get inBody(): boolean {
    return this.#phase !== "head";
  }

  /** Where the next bytes from the socket go; never empty. */
  room(): Uint8Array {
    if (this.filled === 0) return this.bytes;
    if (this.filled === this.bytes.length) this.#grow(this.#needed());
    return this.bytes.subarray(this.filled);
  }

  /**
   * Takes `count` bytes that were put into `room()`.
   *
   * @returns true when the response is whole
   * @throws {WireError} `protocol` with the reason
   */
  take(count: number): boolean {
    this.filled += count;
    while (this.#phase === "head") {
      if (!this.head.read(this.bytes, this.filled)) return false;
      this.#beginBody();
    }
    switch (this.#phase) {
      case "length":
        return this.#takeLength();
      case "chunked":
        return this.#takeChunked();
      case "until close":
        return this.#takeUntilClose(count);
      case "done":
        return this.#done(this.filled === this.head.end);
    }
  }

  /** The server closed; true when that ends a whole response. */
  finish(): boolean {
    return this.#phase === "until close";
  }

  /** No more of the response comes: of a part of its body, the length is kept. */
  cutOff(): void {
    if (this.#phase === "length") {
      const come = this.filled - this.bodyStart;
      this.bodyBytes = this.head.contentLength - this.#remaining + come;
    } else if (this.#phase === "chunked") {
      this.bodyBytes = this.#chunks!.length;
    }
    this.bodyEnd = this.bodyStart;
  }

  /** Decides how the body is framed (RFC 9112 section 6.3). */
  #beginBody(): void {
    const { head } = this;
    const { status } = head;
    if (status < 200 && status !== 101) {
      if (++this.#interim > MAX_INTERIM) {
        const detail = `over ${MAX_INTERIM}`;
        throw protocolError("too many interim responses", detail);
      }
      head.reset(head.end, true);
      return;
    }
    this.bodyStart = head.end;
    this.bodyEnd = head.end;
    if (
      this.#bodiless || status === 204 || status === 304 || status === 101 ||
      head.contentLength === 0
    ) {
      this.#phase = "done";
    } else if (head.chunked) {
      this.#phase = "chunked";
      (this.#chunks ??= new ChunkedBody()).reset(head.end);
    } else if (head.contentLength > 0) {
      this.#phase = "length";
      this.#remaining = head.contentLength;
      this.tooLarge = head.contentLength > MAX_BODY_BYTES;
      const expected = Math.min(
        head.contentLength,
        this.tooLarge ? DRAIN_BYTES : TRUSTED_BYTES,
      );
      this.#grow(head.end + expected);
    } else {
      this.#phase = "until close";
    }
  }

  /** How large the buffer becomes when it is full. */
  #needed(): number {
    if (this.#phase === "length") return this.bodyStart + this.#remaining;
    const most = this.#phase === "head"
      ? Infinity
      : this.head.end + MAX_BODY_BYTES + SPARE_BYTES;
    const times = this.bytes.length < TRUSTED_BYTES ? 2 : 4;
    return Math.min(this.bytes.length * times, most);
  }

  #takeLength(): boolean {
    const come = this.filled - this.bodyStart;
    if (come < this.#remaining) {
      if (this.tooLarge) {
        this.#remaining -= come;
        this.filled = this.bodyStart;
      }
      return false;
    }
    if (!this.tooLarge) this.bodyEnd = this.bodyStart + this.#remaining;
    this.bodyBytes = this.head.contentLength;
    return this.#done(come === this.#remaining);
  }

  #takeChunked(): boolean {
    const chunks = this.#chunks!;
    const whole = chunks.decode(this.bytes, this.filled);
    this.filled = chunks.limit;
    if (chunks.length > MAX_BODY_BYTES && !this.tooLarge) {
      chunks.drop(this.bytes, this.head.end);
      this.#drop(chunks.limit);
    }
    if (!whole) return false;
    this.bodyStart = chunks.start;
    this.bodyEnd = chunks.end;
    this.bodyBytes = chunks.length;
    return this.#done(chunks.at === this.filled);
  }

  #takeUntilClose(count: number): false {
    if (this.tooLarge) {
      this.bodyBytes += count;
      this.filled = this.bodyStart;
    } else {
      this.bodyBytes = this.filled - this.bodyStart;
      if (this.bodyBytes > MAX_BODY_BYTES) this.#drop(this.bodyStart);
    }
    this.bodyEnd = this.filled;
    return false;
  }

  /** Gives back the room of a body that is only drained, up to `end`. */
  #drop(end: number): void {
    this.tooLarge = true;
    this.#replace(end + DRAIN_BYTES, end);
    this.filled = end;
  }

  /** Bytes past the response are not part of it, but make the next one doubtful. */
  #done(clean: boolean): true {
    this.#phase = "done";
    this.reusable = clean && this.head.keepAlive && this.head.status !== 101;
    return true;
  }

  #grow(size: number): void {
    if (size > this.bytes.length) this.#replace(size, this.filled);
  }

  /** Another buffer of at least this size, with the first bytes of this one. */
  #replace(size: number, kept: number): void {
    const before = this.bytes;
    this.bytes = size > KEPT_BYTES
      ? largeBuffers.take(size)
      : new Uint8Array(size);
    this.bytes.set(before.subarray(0, kept));
    if (before.length > KEPT_BYTES) largeBuffers.give(before);
  }
}
