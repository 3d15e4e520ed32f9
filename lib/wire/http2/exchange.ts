import type { HeaderList } from "../../base/values/headers.ts";
import type { Marks } from "../../model/result/response.ts";
import { MAX_BODY_BYTES } from "../net/wire_error.ts";
import type { TakeResponse } from "../net/wire_response.ts";
import type { Http2Request } from "./request.ts";
import { type FieldSection, malformed } from "./section.ts";

const FIRST_BYTES = 1_024;
/** A buffer over this size is given back after its response. */
const KEPT_BYTES = 128 * 1024;

/** The body of the response under way, in a buffer that is used again. */
export class ResponseBody {
  /** Counts responses, so that a stale view of the buffer is recognised. */
  generation = 0;
  /** All bytes of the body, also those that were not kept. */
  received = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  /** Longer than what is kept: the rest is drained and dropped. */
  get tooLarge(): boolean {
    return this.received > MAX_BODY_BYTES;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets the last body; views of it are invalid from here on. */
  reset(): void {
    this.generation++;
    this.received = 0;
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) {
      this.#bytes = new Uint8Array(FIRST_BYTES);
    }
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.received += end - start;
    if (this.tooLarge) {
      this.#length = 0;
      return;
    }
    this.#makeRoom(end - start);
    // A short piece is copied faster by hand than through a view of it.
    if (end - start > 64) {
      this.#bytes.set(bytes.subarray(start, end), this.#length);
    } else {
      for (let at = start; at < end; at++) {
        this.#bytes[this.#length + at - start] = bytes[at]!;
      }
    }
    this.#length += end - start;
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(
      Math.max(this.#bytes.length * 2, this.#length + count),
    );
    larger.set(this.written);
    this.#bytes = larger;
  }
}

const NO_FIELDS: HeaderList = [];

/** One request, and what has come of its response so far. */
export class StreamExchange {
  /** 0 until the stream is open. */
  stream = 0;
  /** Bytes of the body that were handed on to be written. */
  queued = 0;
  /** 0 until the head of the response is here. */
  status = 0;
  fields: HeaderList = NO_FIELDS;
  trailers: HeaderList = NO_FIELDS;
  #contentLength = -1;

  /**
   * @param sentBefore bytes on the connection when it began
   * @param receivedBefore likewise
   */
  constructor(
    readonly request: Http2Request,
    readonly marks: Marks,
    readonly done: TakeResponse,
    readonly sentBefore: number,
    readonly receivedBefore: number,
  ) {}

  get whollyQueued(): boolean {
    return this.queued === this.request.body.length;
  }

  /**
   * Takes a header block: an interim response, the head, or the trailers (RFC
   * 9113 section 8.1).
   *
   * @throws {Http2Error} for the stream when it may not be there
   */
  take(section: FieldSection, endStream: boolean): void {
    if (this.status !== 0) return this.#takeTrailers(section, endStream);
    const { status, fields } = section;
    if (status < 0) throw malformed("its head has no :status");
    if (status === 101) throw malformed("status 101 is not allowed in HTTP/2");
    if (status < 200) {
      if (endStream) throw malformed("it ends with an interim response");
      return;
    }
    this.status = status;
    this.fields = fields;
    this.#contentLength = section.contentLength;
  }

  /** @throws {Http2Error} for the stream when no body may come yet */
  expectData(): void {
    if (this.status === 0) throw malformed("DATA comes before its head");
  }

  /**
   * The server ended the stream.
   *
   * @throws {Http2Error} for the stream when the body is not as long as its
   *   head says (RFC 9113 section 8.1.1)
   */
  checkLength(body: ResponseBody): void {
    const { status, request } = this;
    const bodiless = request.head || status === 204 || status === 304;
    if (this.#contentLength < 0 || bodiless) return;
    if (body.received === this.#contentLength) return;
    throw malformed(
      `content-length is ${this.#contentLength}, but ${body.received} bytes came`,
    );
  }

  #takeTrailers({ status, fields }: FieldSection, endStream: boolean): void {
    if (status >= 0) throw malformed("its trailers have a :status");
    if (!endStream) throw malformed("its trailers do not end it");
    this.trailers = fields;
  }
}
