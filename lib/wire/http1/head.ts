import { shortened } from "../../base/text/display.ts";
import { CR, excerpt, LF, SPACE, VALUE_BYTE } from "../net/ascii.ts";
import { badByte, Fields, isBlank, lineEnd } from "./fields.ts";
import { protocolError } from "../net/wire_error.ts";

/** Bytes one head may have, its empty line included. */
export const MAX_HEAD_BYTES = 256 * 1024;

/**
 * The head of a response (RFC 9112 sections 4 to 6): status line and fields,
 * and what they say about the length of the body.
 *
 * One object is used again for every response of a connection. Bytes may come in
 * pieces: each line is looked at once, when its LF is there.
 */
export class Head {
  readonly fields = new Fields();
  status = 0;
  /** Offset of the status line, of its end, and of the byte after the head. */
  start = 0;
  statusEnd = 0;
  end = 0;
  /** -1 when the head does not say. */
  contentLength = -1;
  chunked = false;
  /** It has a Content-Encoding. */
  encoded = false;
  /** It has a Set-Cookie. */
  setsCookies = false;
  /** The connection may be used again after the body. */
  keepAlive = true;
  /** It has a Keep-Alive, which may say for how long. */
  limitsIdle = false;

  /** An empty line may come first. */
  #afterInterim = false;
  #line = 0;
  #scanned = 0;
  #http10 = false;
  #saysClose = false;
  #saysKeepAlive = false;
  #coding = "";

  /**
   * Makes ready for a head that begins at `at`. Behind an interim response there
   * may be one empty line too many: aiohttp, for one, writes it.
   */
  reset(at: number, afterInterim = false): void {
    this.#afterInterim = afterInterim;
    this.fields.clear();
    this.status = 0;
    this.start = at;
    this.statusEnd = at;
    this.end = at;
    this.contentLength = -1;
    this.chunked = false;
    this.encoded = false;
    this.setsCookies = false;
    this.keepAlive = true;
    this.limitsIdle = false;
    this.#line = at;
    this.#scanned = at;
    this.#http10 = false;
    this.#saysClose = false;
    this.#saysKeepAlive = false;
    this.#coding = "";
  }

  /**
   * Goes on reading; `limit` is the end of the bytes that are there.
   *
   * @returns true when the head is whole
   * @throws {WireError} `protocol` with the reason
   */
  read(bytes: Uint8Array, limit: number): boolean {
    for (;;) {
      const lf = bytes.indexOf(LF, this.#scanned);
      if (lf < 0 || lf >= limit) {
        this.#scanned = limit;
        if (limit - this.start > MAX_HEAD_BYTES) throw tooLong();
        if (this.status === 0 && !this.#maybeEmptyLine(bytes, limit)) {
          checkPrefix(bytes, this.start, limit);
        }
        return false;
      }
      const line = this.#line;
      this.#line = lf + 1;
      this.#scanned = lf + 1;
      if (lf + 1 - this.start > MAX_HEAD_BYTES) throw tooLong();
      if (this.status === 0) {
        if (this.#maybeEmptyLine(bytes, lf)) {
          this.#afterInterim = false;
          this.start = lf + 1;
        } else this.#readStatusLine(bytes, line, lf);
      } else if (lineEnd(bytes, line, lf) === line) {
        this.end = lf + 1;
        this.#judge();
        return true;
      } else if (isBlank(bytes[line]!)) {
        this.fields.fold(bytes, line, lf);
      } else {
        this.#readField(bytes, this.fields.add(bytes, line, lf));
      }
    }
  }

  /** Whether the bytes so far, or up to a LF, may be the empty line too many. */
  #maybeEmptyLine(bytes: Uint8Array, end: number): boolean {
    return this.#afterInterim && end - this.start === 1 &&
      bytes[this.start] === CR;
  }

  #readStatusLine(bytes: Uint8Array, start: number, lf: number): void {
    checkPrefix(bytes, start, lf);
    const end = lineEnd(bytes, start, lf);
    const minor = bytes[start + 7]!;
    if (minor !== 0x30 && minor !== 0x31 || isDigit(bytes[start + 8]!)) {
      throw badVersion(bytes, start, end);
    }
    const status = end - start >= 12 && bytes[start + 8] === SPACE
      ? threeDigits(bytes, start + 9)
      : -1;
    if (status < 100 || (end > start + 12 && bytes[start + 12] !== SPACE)) {
      throw protocolError("bad status line", excerpt(bytes, start, end));
    }
    for (let at = start + 12; at < end; at++) {
      if (VALUE_BYTE[bytes[at]!] === 0) throw badByte(bytes[at]!);
    }
    this.#http10 = minor === 0x30;
    this.status = status;
    this.statusEnd = end;
  }

  /** Remembers what frames and codes the body; other fields stay offsets. */
  #readField(bytes: Uint8Array, index: number): void {
    const fields = this.fields;
    switch (fields.nameLength(index)) {
      case 10:
        if (fields.nameIs(bytes, index, "connection")) {
          this.#readConnection(bytes, index);
        } else if (fields.nameIs(bytes, index, "set-cookie")) {
          this.setsCookies = true;
        } else if (fields.nameIs(bytes, index, "keep-alive")) {
          this.limitsIdle = true;
        }
        break;
      case 14:
        if (fields.nameIs(bytes, index, "content-length")) {
          this.#readLength(bytes, index);
        }
        break;
      case 16:
        if (fields.nameIs(bytes, index, "content-encoding")) {
          this.encoded = true;
        }
        break;
      case 17:
        if (fields.nameIs(bytes, index, "transfer-encoding")) {
          this.#readCoding(fields.value(bytes, index));
        }
        break;
    }
  }

  #readConnection(bytes: Uint8Array, index: number): void {
    if (this.fields.valueIs(bytes, index, "keep-alive")) {
      this.#saysKeepAlive = true;
      return;
    }
    for (const part of this.fields.value(bytes, index).split(",")) {
      const word = part.trim().toLowerCase();
      if (word === "close") this.#saysClose = true;
      if (word === "keep-alive") this.#saysKeepAlive = true;
    }
  }

  /** Equal values, repeated or in a list, count once (RFC 9110 section 8.6). */
  #readLength(bytes: Uint8Array, index: number): void {
    const plain = this.fields.decimal(bytes, index);
    if (plain >= 0 && this.contentLength < 0) {
      this.contentLength = plain;
      return;
    }
    const text = this.fields.value(bytes, index);
    for (const part of text.split(",")) {
      const digits = part.trim();
      const length = /^\d+$/.test(digits) ? Number(digits) : NaN;
      if (!Number.isSafeInteger(length)) {
        throw protocolError("bad Content-Length", `\`${shortened(text, 40)}\``);
      }
      if (this.contentLength >= 0 && this.contentLength !== length) {
        throw protocolError(
          "conflicting Content-Length",
          `${this.contentLength} and ${length}`,
        );
      }
      this.contentLength = length;
    }
  }

  /**
   * No `TE` field is ever sent, so `chunked` is the only coding a server may
   * use (RFC 9112 section 7.4).
   */
  #readCoding(text: string): void {
    this.#coding += this.#coding === "" ? text : `, ${text}`;
    if (this.chunked || text.toLowerCase() !== "chunked") {
      throw protocolError(
        "unknown Transfer-Encoding",
        `\`${shortened(this.#coding, 40)}\``,
      );
    }
    this.chunked = true;
  }

  #judge(): void {
    if (this.chunked && this.contentLength >= 0) {
      throw protocolError("Content-Length together with Transfer-Encoding");
    }
    if (this.chunked && this.#http10) {
      throw protocolError("Transfer-Encoding in an HTTP/1.0 response");
    }
    this.keepAlive = !this.#saysClose && (!this.#http10 || this.#saysKeepAlive);
  }
}

const PREFIX = "HTTP/1.";

/** Sees at once, without waiting for a LF, that the server speaks something else. */
function checkPrefix(bytes: Uint8Array, start: number, limit: number): void {
  const length = Math.min(limit - start, PREFIX.length);
  for (let index = 0; index < length; index++) {
    if (bytes[start + index] === PREFIX.charCodeAt(index)) continue;
    throw index < 5
      ? protocolError(
        "not an HTTP/1.1 response",
        otherProtocol(bytes.subarray(start, limit)) ??
          `it begins ${beginning(bytes, start, limit)}`,
      )
      : badVersion(bytes, start, limit);
  }
}

/** A protocol that servers speak first, or refuse a request in. */
function otherProtocol(sent: Uint8Array): string | undefined {
  const [first, second, , type, flags, ...stream] = sent.subarray(0, 9);
  // A SETTINGS frame: no server announces 65,536 bytes of them.
  if (
    first === 0 && second === 0 && type === 4 && flags === 0 &&
    !stream.some(Boolean)
  ) {
    return "the server speaks HTTP/2; see `--http 2`";
  }
  return first === 0x15 && second === 3
    ? "the server speaks TLS; see `https://`"
    : undefined;
}

function badVersion(bytes: Uint8Array, start: number, end: number): Error {
  return protocolError(
    "HTTP version is neither 1.0 nor 1.1",
    excerpt(bytes, start, Math.min(end, start + 9)),
  );
}

function threeDigits(bytes: Uint8Array, at: number): number {
  const a = bytes[at]!;
  const b = bytes[at + 1]!;
  const c = bytes[at + 2]!;
  if (!isDigit(a) || !isDigit(b) || !isDigit(c)) return -1;
  return (a - 0x30) * 100 + (b - 0x30) * 10 + (c - 0x30);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** The beginning of bytes that may end in the midst of a secret, as a cut text does. */
function beginning(bytes: Uint8Array, start: number, end: number): string {
  const text = excerpt(bytes, start, end);
  return text.endsWith('…"') ? text : text.replace(/"$/, '…"');
}

function tooLong(): Error {
  return protocolError(
    "head too large",
    `more than ${MAX_HEAD_BYTES} bytes`,
  );
}
