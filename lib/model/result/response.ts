import * as v from "valibot";
import type { JsonValue } from "../../base/values/json.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import type { Failure } from "./failure.ts";
import { object, own, type Stored } from "./stored.ts";

/** Versions of HTTP, as OpenTelemetry numbers them. */
export const HTTP_VERSIONS = ["1.1", "2"] as const;
export type HttpVersion = (typeof HTTP_VERSIONS)[number];

/** The values of `--http`: a version, or the one the server chooses over TLS. */
export const HTTP_CHOICES = [...HTTP_VERSIONS, "auto"] as const;
export type HttpChoice = (typeof HTTP_CHOICES)[number];

/** The phases of an exchange, in order; spans of a trace are named so. */
export type Phase = "dns" | "connect" | "tls" | "ttfb" | "transfer";

/**
 * When the phases of one exchange ended: milliseconds on the run's clock, NaN
 * for a phase that did not happen (a reused connection has no dns, connect, tls).
 * Phase order: start, dns, connect, tls, firstByte, end. The send began at
 * max(start, tls, connect).
 */
export interface Marks {
  start: number;
  dns: number;
  connect: number;
  tls: number;
  firstByte: number;
  end: number;
  /** The phase that was under way when the exchange failed; it went on to `end`. */
  failed?: Phase;
}

/** The line of a message that is a text frame of a session. */
export const TEXT_FRAME = "text frame";

/** One side of an exchange as a trace shows it, before redaction. */
export type CapturedMessage = Stored<typeof capturedMessage>;
export const capturedMessage = object({
  /** `POST /login HTTP/1.1` or `HTTP/1.1 200 OK`. */
  line: v.string(),
  headers: v.array(v.tuple([v.string(), v.string()])),
  /** Absent when there is none; binary bodies are base64. */
  body: v.exactOptional(v.string()),
  body_encoding: v.exactOptional(v.literal("base64")),
  /** Bytes of the whole body, before any cut at 64 KiB. */
  body_bytes: v.exactOptional(v.number()),
  body_truncated: v.exactOptional(v.boolean()),
  /** In place of a body that hides a secret, or could not be searched for one. */
  body_sha256: v.exactOptional(own),
  /** Fields are missing, or the reason of a status line. */
  headers_truncated: v.exactOptional(v.boolean()),
});

/** Responses of one kind that are used again: a trace keeps what they say in their place. */
export interface ReusedResponses {
  /**
   * Keeps what they say in a fifth of their memory. They are detached.
   *
   * @returns makes responses that say the same, in the same order
   */
  pack(responses: readonly StepResponse[]): () => StepResponse[];
}

/** The response to one attempt, the same for every protocol. */
export interface StepResponse {
  /** The result on the wire, before the step's own rules are applied. */
  readonly signal: "ok" | "throttle" | "failure";
  /** Why, when the signal is `failure`. */
  readonly failure?: Failure;
  /** HTTP status or gRPC code; absent when there was no response. */
  readonly status?: number;
  /**
   * The status that `on_status` and `throttle.statuses` are compared with, where it is not
   * the status itself (gRPC codes have an HTTP mapping).
   */
  readonly httpStatus?: number;
  /** The failure is that of the status, though its code is not `status`. */
  readonly failedByStatus?: boolean;
  /** The status in the protocol's words, where that is not `status <number>`. */
  readonly statusText?: string | undefined;
  /** The target asks that this request is not retried. */
  readonly forbidsRetry?: boolean;
  /**
   * Service times of this attempt in milliseconds, where it is not exactly the
   * one of its marks: none for a step that only receives.
   */
  readonly samples?: readonly number[];
  /** An exchange of the same attempt that came first: the handshake of a session. */
  readonly before?: StepResponse;
  /** Where it went: `https://host[:port]`, also for `grpcs`; `wss://` of a session. */
  readonly origin?: string;
  /** The name of this exchange in a trace, which has no phases then. */
  readonly span?: "frames";
  /** The version of HTTP that was used; absent when there was no response. */
  readonly httpVersion?: HttpVersion | undefined;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** The server did not accept the credentials of the request. */
  readonly refusesCredentials?: boolean;
  /**
   * The memory it takes as long as it is kept, about; absent where that is
   * not known, or where it cannot be shown later.
   */
  readonly heldBytes?: number;
  /** How long the response asks to wait before the next request, in milliseconds. */
  retryAfter(): number | undefined;
  /** The lines of a header field, any letter case. */
  headers(name: string): readonly string[];
  /**
   * Searches the body; false for one that `json` has to read, as what is no JSON.
   * Absent where that is always so.
   */
  searched?(search: JsonSearch): boolean;
  /** Why the body cannot be read: only what needs it fails. */
  readonly bodyFailure?: Failure | undefined;
  /**
   * Integers of 64 bits are strings of digits in its JSON (proto3 JSON mapping); a check
   * compares them with numbers all the same.
   */
  readonly longsAreText?: boolean;
  /** The body as JSON; undefined when there is none or it is not JSON. */
  json(): JsonValue | undefined;
  /**
   * The body as text where it is not JSON; undefined when there is none or it is
   * not text. Absent where a body that is not JSON is a failure.
   */
  text?(): string | undefined;
  /** The body as text, JSON or not; undefined when there is none or it is no text. */
  bodyText?(): string | undefined;
  /** The request and the size of the decoded body, of an exchange of HTTP. */
  exchange?(): {
    readonly method: string;
    /** As sent, without the query. */
    readonly path: string;
    readonly bodyBytes: number;
  };
  /** Set where it may be made the response of a later step, once its iteration has ended. */
  readonly reused?: ReusedResponses | undefined;
  /** No check looks at it any more: what was made of its body may go. */
  checked?(): void;
  /**
   * Copies what still lies in the connection's buffer, which the next exchange
   * on that connection overwrites.
   */
  detach(): void;
  /**
   * That exchange came before `detach`: the response's fields and body are gone.
   * Its status, its times and the request are not.
   */
  readonly overwritten?: boolean;
  /**
   * The same in less memory, once it is overwritten and when it passed: an iteration keeps
   * the responses of its steps until it ends. Else this one.
   *
   * @param spare one of a step of an earlier iteration, which may be made the result
   */
  outlasting?(spare: StepResponse | undefined): StepResponse;
  capturedRequest(limits?: BodyLimits): CapturedMessage | undefined;
  capturedResponse(limits?: BodyLimits): CapturedMessage | undefined;
}

/** The size of one message's head in a trace at most. */
export const HEAD_BYTES = 64 * 1024;

/** The size of a field beside its characters: a head of many small ones is large. */
export const FIELD_BYTES = 100;

/** More fields than a head in a trace has: the others need not be made. */
export const TOO_MANY_FIELDS = Math.ceil(HEAD_BYTES / FIELD_BYTES);

/** How much of bodies a trace holds. */
export interface BodyLimits {
  /** A longer body of a response is left out, and nothing is made of it. */
  readonly mostBytes: number;
  /** The others are not cut: the trace is more than what is stored of it. */
  readonly whole: boolean;
}

/** The parts that a trace needs which is only stored. */
export const STORED_BODIES: BodyLimits = { mostBytes: Infinity, whole: false };

/** The status for a message, such as `status 503`; undefined when there is none. */
export function statusTextOf(response: StepResponse): string | undefined {
  const { statusText, status } = response;
  return statusText ?? (status === undefined ? undefined : `status ${status}`);
}

/** Whether an assertion on the status judges in place of the response's failure. */
export function isStatusFailure(
  { failure, failedByStatus }: StepResponse,
): boolean {
  return failure?.code === "status" || failedByStatus === true;
}

/**
 * The service time of an exchange in milliseconds: from the send. An exchange
 * that got no byte counts from its start, so that a timeout has its full duration.
 */
export function serviceTime(marks: Readonly<Marks>): number {
  return marks.end - sendStart(marks);
}

/**
 * Whether an attempt says how long the target takes. One that got no byte of a
 * response says nothing of that, but a timeout took at least as long as it lasted.
 */
export function hasLatency({ marks, failure }: StepResponse): boolean {
  return failure === undefined || !Number.isNaN(marks.firstByte) ||
    failure.code === "timeout";
}

/** When an attempt began, with the exchange that came first. */
export function startOf({ before, marks }: StepResponse): number {
  return before?.marks.start ?? marks.start;
}

/** Whether anything was sent, received, awaited on a session or dialled; a wait does none of it. */
export function touchedTheWire(
  { bytesSent, span, marks }: StepResponse,
): boolean {
  const { dns, connect, tls, firstByte, failed } = marks;
  return bytesSent > 0 || span !== undefined || failed !== undefined ||
    Number.isFinite(firstByte) || Number.isFinite(connect) ||
    Number.isFinite(dns) || Number.isFinite(tls);
}

/** When the request began to be written: after the connection was there. */
function sendStart(marks: Readonly<Marks>): number {
  if (Number.isNaN(marks.firstByte)) return marks.start;
  if (!Number.isNaN(marks.tls)) return marks.tls;
  return Number.isNaN(marks.connect) ? marks.start : marks.connect;
}

/** The marks of an exchange that begins at `start`; nothing else happened yet. */
export function startMarks(start: number): Marks {
  return {
    start,
    dns: NaN,
    connect: NaN,
    tls: NaN,
    firstByte: NaN,
    end: NaN,
  };
}
