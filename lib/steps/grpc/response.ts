import { canonical } from "../../base/values/canonical.ts";
import type { Capture } from "../../language/ir.ts";
import { type Codec, MessageError } from "./protobuf/codec.ts";
import type { Decoded } from "./protobuf/json_writer.ts";
import type {
  CapturedMessage,
  HttpVersion,
  Marks,
  StepResponse,
} from "../../model/result/response.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { JsonValue } from "../../base/values/json.ts";
import type { WireResponse } from "../../wire/net/wire_response.ts";
import { captureText, declaredText } from "../http/captured_body.ts";
import { regularFields } from "../../wire/http2/request.ts";
import { originText } from "../../wire/net/origin.ts";
import {
  OverwrittenResponse,
  type ShownRequests,
} from "../http/overwritten_response.ts";
import type { ReadyCall } from "./request.ts";
import { isGrpc, judgeGrpc, messageOf, type Verdict } from "./verdict.ts";
import { retryAfter } from "../../wire/http1/request_head.ts";

const PUSHBACK = "grpc-retry-pushback-ms";
const DETAILS = "grpc-status-details-bin";
const WHOLE = /^\d+$/;

const NO_JSON = Symbol("no JSON");

/** Memory that a byte of a message may take once it is decoded: an empty message inside has two. */
const DECODED = 32;

const SHOWN: ShownRequests<ReadyCall> = {
  origin: ({ origin }) => originText(origin),
  captured({ path, fields, json, body }, _, capture) {
    if (capture === "none") return undefined;
    const shown = {
      line: `POST ${path} HTTP/2`,
      headers: regularFields(fields),
    };
    if (capture === "headers") return shown;
    // The message as JSON: a secret in it can be found and redacted.
    return { ...shown, ...captureText(json, body.length) };
  },
};

/** A gRPC response as the engine sees it. JSON is made when it is asked for. */
export class GrpcResponse implements StepResponse {
  readonly signal: Verdict["signal"];
  readonly status?: number;
  readonly httpStatus?: number;
  readonly failure?: Failure;
  readonly failedByStatus?: true;
  readonly longsAreText = true;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly #verdict: Verdict;
  #message: Decoded | undefined;
  /** Fields of the message lie in the connection's buffer. */
  #views: boolean;
  #detached = false;
  #json: JsonValue | undefined | typeof NO_JSON = NO_JSON;
  #bodyFailure: Failure | undefined;

  constructor(
    readonly sent: ReadyCall,
    readonly wire: WireResponse,
    readonly codec: Codec,
    readonly capture: Capture,
    readonly wall: () => number,
    timeoutMs: number,
  ) {
    const verdict = judgeGrpc(wire, codec.decode, timeoutMs);
    this.#verdict = verdict;
    this.#message = verdict.message;
    this.#views = verdict.message !== undefined && codec.views;
    this.signal = verdict.signal;
    if (verdict.code !== undefined) this.status = verdict.code;
    if (verdict.httpStatus !== undefined) this.httpStatus = verdict.httpStatus;
    if (verdict.failure) this.failure = verdict.failure;
    if (verdict.failedByStatus) this.failedByStatus = true;
    this.marks = wire.marks;
    this.bytesSent = wire.bytesSent;
    this.bytesReceived = wire.bytesReceived;
  }

  get origin(): string {
    return SHOWN.origin(this.sent);
  }

  get httpVersion(): HttpVersion | undefined {
    return this.wire.version;
  }

  get statusText(): string | undefined {
    return this.#verdict.statusText;
  }

  /** UNAUTHENTICATED, which is 401 in the HTTP mapping. */
  get refusesCredentials(): boolean {
    return this.httpStatus === 401;
  }

  /** Decompressed, a small message may be a huge one. */
  get heldBytes(): number {
    const coding = this.wire.header("grpc-encoding") ?? "identity";
    return coding === "identity"
      ? this.bytesSent + this.bytesReceived + DECODED * this.wire.bodyBytes
      : Infinity;
  }

  /** A pushback that is negative or no number asks for that (gRFC A6). */
  get forbidsRetry(): boolean {
    const pushback = this.wire.header(PUSHBACK);
    return pushback !== undefined && !WHOLE.test(pushback);
  }

  /** `grpc-retry-pushback-ms` (gRFC A6), or what a proxy says in `Retry-After`. */
  retryAfter(): number | undefined {
    const pushback = this.wire.header(PUSHBACK);
    if (pushback !== undefined && WHOLE.test(pushback)) return Number(pushback);
    return retryAfter(this.wire, this.wall());
  }

  /** Initial metadata first, then trailers. */
  headers(name: string): readonly string[] {
    return this.wire.lines(name);
  }

  /** Not every message has a JSON form: a time beyond the year 9999 has none. */
  get bodyFailure(): Failure | undefined {
    this.json();
    return this.#bodyFailure;
  }

  json(): JsonValue | undefined {
    if (this.#json !== NO_JSON) return this.#json;
    this.#json = undefined;
    if (this.overwritten) return undefined;
    try {
      this.#json = this.#message && this.codec.toJson(this.#message);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      this.#bodyFailure = { code: "body", message: error.message };
    }
    return this.#json;
  }

  /** The message as JSON. */
  bodyText(): string | undefined {
    const json = this.json();
    return json === undefined ? undefined : canonical(json);
  }

  checked(): void {
    this.#json = NO_JSON;
  }

  detach(): void {
    this.#detached = true;
    const needed = this.#views || this.#message === undefined;
    if (!needed || this.wire.stale) return;
    this.wire.detach();
    if (!this.#views) return;
    this.#message = messageOf(this.wire, this.codec.decode);
    this.#views = false;
  }

  get overwritten(): boolean {
    return this.#views && this.wire.stale;
  }

  outlasting(spare: StepResponse | undefined): StepResponse {
    return this.signal === "ok" && this.wire.stale && !this.#detached
      ? OverwrittenResponse.of(this, SHOWN, spare)
      : this;
  }

  capturedRequest(): CapturedMessage | undefined {
    return SHOWN.captured(this.sent, this.httpVersion, this.capture);
  }

  capturedResponse(): CapturedMessage | undefined {
    const { status, statusLine, bodyBytes } = this.wire;
    if (this.capture === "none" || status === 0) return undefined;
    const shown = { line: statusLine, headers: this.wire.headers() };
    if (this.capture !== "full") return shown;
    const json = this.json();
    if (json !== undefined) {
      return { ...shown, ...captureText(JSON.stringify(json), bodyBytes) };
    }
    if (bodyBytes === 0) return { ...shown, ...this.#details() };
    const text = this.#otherText();
    return text === undefined
      ? { ...shown, body_bytes: bodyBytes, body_truncated: true }
      : { ...shown, ...captureText(text, bodyBytes) };
  }

  /** The details of a status as JSON: they are its message, which comes in a trailer. */
  #details(): Partial<CapturedMessage> {
    const text = this.headers(DETAILS).at(-1);
    const status = text === undefined
      ? undefined
      : this.codec.statusDetails(text);
    return status ? captureText(JSON.stringify(status), 0) : {};
  }

  /** The body of a response that is not gRPC: a proxy says in it why not. */
  #otherText(): string | undefined {
    const { wire } = this;
    const type = wire.header("content-type") ?? "";
    if (wire.failure || wire.stale || wire.encoded || isGrpc(type)) return;
    return declaredText(wire.body, type);
  }
}
