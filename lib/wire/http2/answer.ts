import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/reply.ts";
import type { HeaderList } from "../../base/values/headers.ts";

/** What one HTTP/2 exchange brought back. */
export interface Http2Answer {
  /** Why there is no whole answer; `status` may be set all the same. */
  readonly failure?: Failure;
  /** The code of a stream the peer reset (RFC 9113 section 7). */
  readonly reset?: number;
  /** 0 when no header fields arrived. */
  readonly status: number;
  /** Fields in wire order, without pseudo-header fields. */
  readonly headers: HeaderList;
  readonly trailers: HeaderList;
  readonly body: Uint8Array;
  readonly marks: Readonly<Marks>;
  /** On the socket: frames, and what opened the connection, included. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** An exchange that never got to send. */
export function unsent(
  failure: Failure,
  marks: Readonly<Marks>,
): Http2Answer {
  return {
    failure,
    status: 0,
    headers: [],
    trailers: [],
    body: new Uint8Array(0),
    marks,
    bytesSent: 0,
    bytesReceived: 0,
  };
}

/** The fields of a block in wire order, from node's two forms of it. */
export function fieldPairs(
  fields: Readonly<Record<string, unknown>>,
  raw: unknown,
): HeaderList {
  const pairs: [string, string][] = [];
  const list = Array.isArray(raw) ? raw as readonly string[] : flat(fields);
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = list[at]!;
    if (!name.startsWith(":")) pairs.push([name, list[at + 1]!]);
  }
  return pairs;
}

function flat(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.flatMap((each) => [name, String(each)])
      : [name, String(value)]
  );
}
