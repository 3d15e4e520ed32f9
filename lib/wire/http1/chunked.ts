import { CR, excerpt, latin1, LF } from "../net/ascii.ts";
import { Fields } from "./fields.ts";
import { MAX_HEAD_BYTES } from "./head.ts";
import { protocolError } from "../net/wire_error.ts";

/** Bytes one chunk-size line may have, its extensions included. */
const MAX_SIZE_LINE = 16 * 1024;

type Phase = "size" | "data" | "data end" | "trailer";

/**
 * Takes the chunked coding off a body (RFC 9112 section 7.1), in place: the
 * data moves towards the start of the buffer, so that it ends up in one piece.
 */
export class ChunkedBody {
  /** The decoded data. */
  start = 0;
  end = 0;
  /** The end of the bytes in the buffer after `decode` moved them together. */
  limit = 0;
  /** The first byte that is not decoded; after the last chunk, what is left over. */
  at = 0;
  /** Bytes of data so far, those that were dropped included. */
  length = 0;
  trailers: [name: string, value: string][] = [];

  #dropping = false;
  #phase: Phase = "size";
  #remaining = 0;
  #scanned = 0;
  #trailerBytes = 0;
  readonly #fields = new Fields();

  /** Makes ready for a body whose first chunk begins at `at`. */
  reset(at: number): void {
    this.start = at;
    this.end = at;
    this.limit = at;
    this.at = at;
    this.length = 0;
    this.#dropping = false;
    this.#phase = "size";
    this.#scanned = at;
    this.#trailerBytes = 0;
    if (this.trailers.length > 0) this.trailers = [];
  }

  /**
   * Keeps no data from here on: the body is only drained. What is not decoded
   * moves to `to`.
   */
  drop(bytes: Uint8Array, to: number): void {
    this.#dropping = true;
    this.start = to;
    this.end = to;
    this.#pack(bytes, this.limit);
  }

  /**
   * Decodes what is there; `limit` is the end of it.
   *
   * @returns true when the last chunk and the trailers were read
   * @throws {WireError} `protocol` with the reason
   */
  decode(bytes: Uint8Array, limit: number): boolean {
    for (;;) {
      switch (this.#phase) {
        case "size": {
          const lf = this.#line(bytes, limit, MAX_SIZE_LINE);
          if (lf < 0) return this.#pack(bytes, limit);
          this.#remaining = chunkSize(bytes, this.at, lf);
          this.at = lf + 1;
          this.#phase = this.#remaining === 0 ? "trailer" : "data";
          break;
        }
        case "data": {
          const count = Math.min(this.#remaining, limit - this.at);
          this.#keep(bytes, count);
          this.#remaining -= count;
          if (this.#remaining > 0) return this.#pack(bytes, limit);
          this.#phase = "data end";
          break;
        }
        case "data end":
          if (this.at < limit && bytes[this.at] !== CR) throw noLineEnd();
          if (limit - this.at < 2) return this.#pack(bytes, limit);
          if (bytes[this.at + 1] !== LF) throw noLineEnd();
          this.at += 2;
          this.#phase = "size";
          break;
        case "trailer": {
          const lf = this.#line(bytes, limit, MAX_HEAD_BYTES);
          if (lf < 0) return this.#pack(bytes, limit);
          if (this.#readTrailer(bytes, lf)) {
            this.limit = limit;
            return true;
          }
        }
      }
    }
  }

  #keep(bytes: Uint8Array, count: number): void {
    this.length += count;
    if (this.#dropping) {
      // Nothing is kept.
    } else if (this.end === this.start) {
      // Nothing is kept yet: the data may stay where it is.
      this.start = this.at;
      this.end = this.at + count;
    } else {
      bytes.copyWithin(this.end, this.at, this.at + count);
      this.end += count;
    }
    this.at += count;
  }

  /** Moves what is not decoded up to the data, to make room behind it. */
  #pack(bytes: Uint8Array, limit: number): false {
    if (this.at > this.end) {
      bytes.copyWithin(this.end, this.at, limit);
      limit -= this.at - this.end;
      this.at = this.end;
    }
    this.limit = limit;
    this.#scanned = limit;
    return false;
  }

  /** The LF of the line that begins at `at`; -1 when it is not there yet. */
  #line(bytes: Uint8Array, limit: number, most: number): number {
    const lf = bytes.indexOf(LF, Math.max(this.at, this.#scanned));
    const whole = lf >= 0 && lf < limit;
    if ((whole ? lf : limit) - this.at > most) {
      throw protocolError(
        this.#phase === "size" ? "chunk size line too long" : "head too large",
        `more than ${most} bytes`,
      );
    }
    return whole ? lf : -1;
  }

  /** True for the empty line that ends the trailers. */
  #readTrailer(bytes: Uint8Array, lf: number): boolean {
    const start = this.at;
    this.at = lf + 1;
    if (lf - start === 1 && bytes[start] === CR) return true;
    this.#trailerBytes += lf + 1 - start;
    if (this.#trailerBytes > MAX_HEAD_BYTES) {
      throw protocolError(
        "head too large",
        `more than ${MAX_HEAD_BYTES} bytes of trailers`,
      );
    }
    // Responses that are copied before keep the empty list.
    if (this.trailers.length === 0) this.trailers = [];
    this.#fields.clear();
    const index = this.#fields.add(bytes, start, lf);
    this.trailers.push([
      this.#fields.name(bytes, index),
      this.#fields.value(bytes, index),
    ]);
    return false;
  }
}

const NAME = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED =
  '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';

/** `chunk-ext` (RFC 9112 section 7.1.1); BWS is a blank that should not be there. */
const EXTENSIONS = new RegExp(
  `^(?:[\\t ]*;[\\t ]*${NAME}(?:[\\t ]*=[\\t ]*(?:${NAME}|${QUOTED}))?)+$`,
);

/**
 * `chunk-size [ chunk-ext ] CRLF`: hexadecimal digits, then nothing or
 * extensions, which are skipped.
 */
function chunkSize(bytes: Uint8Array, start: number, lf: number): number {
  const end = bytes[lf - 1] === CR && lf > start ? lf - 1 : -1;
  let at = start;
  let size = 0;
  for (let digit; at < end && (digit = hexDigit(bytes[at]!)) >= 0; at++) {
    size = size * 16 + digit;
    if (size > Number.MAX_SAFE_INTEGER) break;
  }
  const whole = end >= 0 && at > start && size <= Number.MAX_SAFE_INTEGER;
  if (whole && at === end) return size;
  const rest = whole ? latin1(bytes, at, end) : "";
  if (EXTENSIONS.test(rest)) return size;
  throw protocolError(
    /^[\t ]*;/.test(rest) ? "bad chunk extension" : "bad chunk size",
    excerpt(bytes, start, lf),
  );
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function noLineEnd(): Error {
  return protocolError("chunk data is not followed by CR LF");
}
