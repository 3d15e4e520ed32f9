import type { HeaderList } from "../../base/values/headers.ts";
import type { Marks } from "../../model/result/response.ts";
import type { Http2Request } from "./request.ts";
import type { WireResponse } from "../net/wire_response.ts";
import type { ResponseBody } from "./response_body.ts";
import { type FieldSection, malformed } from "./section.ts";

const NO_FIELDS: HeaderList = [];

/** One request, and what has come of its response so far. */
export class Exchange {
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
    readonly resolve: (response: WireResponse) => void,
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
