import { Buffer } from "node:buffer";
import type { ClientHttp2Stream } from "node:http2";
import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/reply.ts";
import type { StreamDuplex } from "../net/duplex.ts";
import type { Http2Answer } from "./answer.ts";

/** One request and what has come of its answer so far. */
export class Http2Exchange {
  stream: ClientHttp2Stream | undefined;
  status = 0;
  headers: Http2Answer["headers"] = [];
  trailers: Http2Answer["trailers"] = [];
  readonly chunks: Buffer[] = [];
  bytes = 0;
  reset: number | undefined;
  error: Error | undefined;
  readonly #sentBefore: number;
  readonly #receivedBefore: number;

  constructor(
    readonly marks: Marks,
    readonly duplex: StreamDuplex,
    readonly timeoutMs: number,
    readonly resolve: (answer: Http2Answer) => void,
  ) {
    this.#sentBefore = duplex.sent;
    this.#receivedBefore = duplex.received;
  }

  end(failure: Failure | undefined, now: number): void {
    const { marks, duplex, chunks } = this;
    marks.end = now;
    if (failure && this.stream) {
      marks.failed = this.status === 0 ? "ttfb" : "transfer";
    }
    this.resolve({
      status: this.status,
      headers: this.headers,
      trailers: this.trailers,
      body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
      ...(this.reset !== undefined && { reset: this.reset }),
      ...(failure && { failure }),
      marks,
      bytesSent: duplex.sent - this.#sentBefore,
      bytesReceived: duplex.received - this.#receivedBefore,
    });
  }
}
