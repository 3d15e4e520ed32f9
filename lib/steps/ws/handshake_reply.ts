import type { Buffer } from "node:buffer";
import type { Capture } from "../../model/ir/flow.ts";
import type { Failure } from "../../model/result/failure.ts";
import type {
  CapturedMessage,
  Marks,
  Reply,
} from "../../model/result/reply.ts";
import { type HeaderList, headerValue } from "../../base/values/headers.ts";
import { type Origin, originText } from "../../wire/net/origin.ts";
import {
  captureBody,
  captureCoded,
  MOST_CAPTURED,
} from "../http/captured_body.ts";
import { retryAfter } from "../http/retry_after.ts";

/** The answer to a handshake. */
export interface HandshakeAnswer {
  readonly status: number;
  /** Such as `HTTP/1.1 101 Switching Protocols`. */
  readonly line: string;
  readonly headers: HeaderList;
  /** Of an answer that is no 101; cut where it is captured no further. */
  readonly body: Buffer;
}

/** One handshake as it went. */
export interface HandshakeFacts {
  readonly marks: Readonly<Marks>;
  readonly origin: Origin;
  readonly target: string;
  /** As sent; absent when it never got so far. */
  readonly fields?: HeaderList;
  readonly answer?: HandshakeAnswer;
  readonly failure?: Failure;
  readonly bytes: { readonly sent: number; readonly received: number };
}

/** A handshake as the engine sees it (RFC 6455 section 4). */
export class HandshakeReply implements Reply {
  readonly signal: "ok" | "throttle" | "failure";
  readonly failure?: Failure;
  readonly status?: number;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly #facts: HandshakeFacts;
  readonly #capture: Capture;
  readonly #wall: () => number;

  constructor(facts: HandshakeFacts, capture: Capture, wall: () => number) {
    const { answer, failure } = facts;
    if (answer) this.status = answer.status;
    if (failure) {
      this.signal = "failure";
      this.failure = failure;
    } else if (answer?.status === 429) this.signal = "throttle";
    else if (answer?.status === 101) this.signal = "ok";
    else {
      this.signal = "failure";
      this.failure = {
        code: "handshake",
        message: `the handshake was answered ${
          answer?.line.slice(9) ?? "by nobody"
        }, not 101 Switching Protocols`,
      };
    }
    this.marks = facts.marks;
    this.bytesSent = facts.bytes.sent;
    this.bytesReceived = facts.bytes.received;
    this.#facts = facts;
    this.#capture = capture;
    this.#wall = wall;
  }

  get origin(): string {
    return originText(this.#facts.origin);
  }

  retryAfter(): number | undefined {
    return retryAfter(this.header("retry-after"), this.#wall());
  }

  header(name: string): string | undefined {
    return headerValue(this.#facts.answer?.headers ?? [], name);
  }

  json(): undefined {
    return undefined;
  }

  detach(): void {}

  request(): CapturedMessage | undefined {
    const { fields, target } = this.#facts;
    if (this.#capture === "none" || !fields) return undefined;
    return { line: `GET ${target} HTTP/1.1`, headers: fields };
  }

  response(): CapturedMessage | undefined {
    const { answer } = this.#facts;
    if (this.#capture === "none" || !answer) return undefined;
    const { line, headers, body } = answer;
    if (this.#capture === "headers" || body.length === 0) {
      return { line, headers };
    }
    const type = headerValue(headers, "content-type");
    const coding = headerValue(headers, "content-encoding");
    return {
      line,
      headers,
      ...(coding === undefined
        ? captureBody(body, type, body.length === MOST_CAPTURED)
        : captureCoded(body, type, coding)),
    };
  }
}
