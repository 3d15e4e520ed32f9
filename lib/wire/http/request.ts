import type { Http2Request } from "../http2/request.ts";

/** A request in the form of each version; one of them is asked for, once. */
export interface HttpRequest {
  readonly method: string;
  /** The whole head and body. */
  http1(): Uint8Array;
  http2(): Http2Request;
}

/** A request of HTTP/1.1 that is nothing but bytes. */
export function http1Request(method: string, bytes: Uint8Array): HttpRequest {
  return {
    method,
    http1: () => bytes,
    http2() {
      throw new TypeError("This request has no form for HTTP/2");
    },
  };
}
