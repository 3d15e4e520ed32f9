import type { HeaderList } from "../../base/values/headers.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { HttpVersion, Marks } from "../../model/result/response.ts";

/**
 * The response of one HTTP exchange. `body` and the header bytes may lie in
 * the connection's buffer until `detach()` copies them: the next exchange on
 * that connection overwrites them.
 */
export interface WireResponse {
  /** Why there is no whole response; `status` may be set all the same. */
  readonly failure?: Failure;
  /** 0 when no status line arrived. */
  readonly status: number;
  /** As sent, such as `HTTP/1.1 200 OK`. */
  readonly statusLine: string;
  /** The body without transfer coding, still content-encoded; empty when none. */
  readonly body: Uint8Array;
  /** Searches the body where it lies. */
  search(search: JsonSearch, by: object): boolean;
  /** The body was longer than `MAX_BODY_BYTES`: it was read, and none of it kept. */
  readonly tooLarge: boolean;
  /** Bytes of the body, kept or not. */
  readonly bodyBytes: number;
  /** The version that was spoken; absent when nothing came. */
  readonly version?: HttpVersion;
  /** The code with which the server ended the stream (RFC 9113 section 7). */
  readonly reset?: number;
  /** The head has a Content-Encoding. */
  readonly encoded: boolean;
  /** The head has a Set-Cookie. */
  readonly setsCookies: boolean;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /**
   * The fields in wire order, trailers last; decoded when asked for.
   *
   * @param most how many of the head are needed; all without it
   */
  headers(most?: number): HeaderList;
  /** The first value of a field, any letter case. */
  header(name: string): string | undefined;
  /** The lines of a field: those of the trailers where the head has none. */
  lines(name: string): readonly string[];
  /** Of those, the ones that came behind the body. */
  readonly trailers: HeaderList;
  detach(): void;
  /** The bytes were overwritten: nothing of the response can be read any more. */
  readonly stale: boolean;
}

/**
 * Takes the response of an exchange. It is called once, and never before the call that
 * began the exchange has returned.
 */
export type TakeResponse = (response: WireResponse) => void;

const NOTHING = new Uint8Array(0);

/** The response of an exchange that never got as far as a connection. */
export function noResponse(
  failure: Failure,
  marks: Readonly<Marks>,
): WireResponse {
  return {
    failure,
    status: 0,
    statusLine: "",
    body: NOTHING,
    search: () => false,
    tooLarge: false,
    bodyBytes: 0,
    encoded: false,
    setsCookies: false,
    marks,
    bytesSent: 0,
    bytesReceived: 0,
    headers: () => [],
    header: () => undefined,
    lines: () => [],
    trailers: [],
    detach: () => {},
    stale: false,
  };
}
