import {
  type HeaderList,
  headerValue,
  headerValues,
} from "../../base/values/headers.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/response.ts";
import type { WireResponse } from "../net/wire_response.ts";
import type { ResponseBody, StreamExchange } from "./exchange.ts";

const NOTHING = new Uint8Array(0);

/** A response whose body lies in its connection's buffer until `detach()`. */
export class Http2Response implements WireResponse {
  readonly version = "2";
  readonly status: number;
  readonly fields: HeaderList;
  readonly trailers: HeaderList;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly tooLarge: boolean;
  readonly bodyBytes: number;
  /** Why there is no whole response; `status` may be set all the same. */
  readonly failure?: Failure;
  /** The code with which the server ended the stream (RFC 9113 section 7). */
  readonly reset?: number;
  /** Until it is copied: a trace would hold the buffer of a connection that is closed. */
  #body: ResponseBody | undefined;
  readonly #generation: number;
  #copy: Uint8Array | undefined;

  constructor(
    { status, fields, trailers, marks }: StreamExchange,
    body: ResponseBody,
    { bytesSent, bytesReceived }: { bytesSent: number; bytesReceived: number },
    failure: Failure | undefined,
    reset: number | undefined,
  ) {
    this.status = status;
    this.fields = fields;
    this.trailers = trailers;
    this.marks = marks;
    this.tooLarge = body.tooLarge;
    this.bodyBytes = body.received;
    this.bytesSent = bytesSent;
    this.bytesReceived = bytesReceived;
    if (failure) this.failure = failure;
    if (reset !== undefined) this.reset = reset;
    this.#body = body;
    this.#generation = body.generation;
  }

  /** HTTP/2 has no reason phrase (RFC 9113 section 8.3.2). */
  get statusLine(): string {
    return this.status === 0 ? "" : `HTTP/2 ${this.status}`;
  }

  get body(): Uint8Array {
    if (this.#copy) return this.#copy;
    if (this.failure) return NOTHING;
    if (this.stale) {
      throw new Error(
        "This response was overwritten by a later exchange: call `detach()` before it",
      );
    }
    return this.#body!.written;
  }

  search(search: JsonSearch, by: object): boolean {
    const { body } = this;
    return search.search(body, 0, body.length, by);
  }

  get encoded(): boolean {
    return this.header("content-encoding") !== undefined;
  }

  get setsCookies(): boolean {
    return this.header("set-cookie") !== undefined;
  }

  get stale(): boolean {
    return this.#body !== undefined &&
      this.#body.generation !== this.#generation;
  }

  headers(): HeaderList {
    return this.trailers.length === 0
      ? this.fields
      : [...this.fields, ...this.trailers];
  }

  header(name: string): string | undefined {
    return headerValue(this.fields, name) ?? headerValue(this.trailers, name);
  }

  lines(name: string): string[] {
    const lines = headerValues(this.fields, name);
    return lines.length > 0 ? lines : headerValues(this.trailers, name);
  }

  detach(): void {
    this.#copy ??= this.body.slice();
    this.#body = undefined;
  }
}
