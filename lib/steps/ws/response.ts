import { Buffer } from "node:buffer";
import type { JsonValue } from "../../base/values/json.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import { readJson } from "../../base/values/read_json.ts";
import type { Capture } from "../../language/ir.ts";
import type { Failure } from "../../model/result/failure.ts";
import {
  type BodyLimits,
  type CapturedMessage,
  type Marks,
  type ReusedResponses,
  type StepResponse,
  STORED_BODIES,
  TEXT_FRAME,
} from "../../model/result/response.ts";
import { CLOSE, type WebSocketError } from "../../wire/websocket/frame.ts";
import {
  captureBody,
  type CapturedBody,
  captureText,
} from "../http/captured_body.ts";
import { WsFrame } from "./frame.ts";

/** Close codes by number (RFC 6455 section 7.4.1 and the IANA registry). */
const NAMES: Readonly<Record<number, string>> = {
  1000: "normal closure",
  1001: "going away",
  1002: "protocol error",
  1003: "unsupported data",
  1005: "no status received",
  1006: "abnormal closure",
  1007: "invalid frame payload data",
  1008: "policy violation",
  1009: "message too big",
  1010: "mandatory extension",
  1011: "internal error",
  1012: "service restart",
  1013: "try again later",
  1014: "bad gateway",
  1015: "TLS handshake",
  3000: "unauthorized",
  3003: "forbidden",
  3008: "timeout",
};

/** The server asks for fewer sessions; the WebSocket form of a 429. */
const TRY_AGAIN_LATER = 1013;

/**
 * Ends without anything wrong: done, leaving, or a close frame without a code,
 * as libraries send when they are not given one.
 */
export const GOOD_CLOSES: ReadonlySet<number> = new Set([1000, 1001, 1005]);

/** The connection ended without a close frame. */
export const ABNORMAL_CLOSURE = 1006;

/** A code with its name, such as `1011 (internal error)`. */
function closeCodeText(code: number): string {
  const name = NAMES[code] ??
    (code >= 4000 ? "private use" : code >= 3000 ? "registered" : undefined);
  return name === undefined ? String(code) : `${code} (${name})`;
}

/** Why nothing more comes on a session. */
export interface SessionEnd {
  readonly throttled: boolean;
  readonly failure: Failure;
  /** As the server closed it, such as `close 1011 (internal error)`. */
  readonly line?: string;
  readonly reason?: string;
}

export const GIVEN_UP: SessionEnd = {
  throttled: false,
  failure: {
    code: "aborted",
    message: "The session was closed before the frame came",
  },
};

export const TIMED_OUT: SessionEnd = {
  throttled: false,
  failure: {
    code: "session",
    message: "the session is closed: an earlier step timed out on it",
  },
};

/** The server closed it, or its connection. */
export function closed(code: number, reason: string): SessionEnd {
  const named = closeCodeText(code);
  const message = code === ABNORMAL_CLOSURE
    ? `the connection ended without a close frame: code ${named}`
    : `the server closed the session with code ${named}${
      reason && `: ${reason}`
    }`;
  return {
    throttled: code === TRY_AGAIN_LATER,
    failure: { code: "closed", message },
    line: `close ${named}`,
    reason,
  };
}

/** The received bytes could not be read as frames. */
export function unreadable({ closeCode, message }: WebSocketError): SessionEnd {
  return {
    throttled: false,
    failure: closeCode === CLOSE.TOO_BIG
      ? { code: "too-large", message }
      : { code: "protocol", message: `protocol: ${message}` },
  };
}

/** The result of one `ws` step on an open session. */
interface FrameExchange {
  /** On the run's clock: when the send or the receive began, when it was over. */
  readonly start: number;
  readonly end: number;
  /** The text frame that was sent. */
  readonly sent: string | undefined;
  /** The frame received, or its text, or the end of the session. */
  readonly came: Came | SessionEnd | undefined;
  readonly failure: Failure | undefined;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** The handshake of the same step. */
  readonly before: StepResponse | undefined;
  /** Service times; the exchange's own when undefined. */
  readonly samples: readonly number[] | undefined;
}

/**
 * A frame exchange as the engine sees it. It is its own marks, without the phases
 * that never happen on an open session: those of an iteration stay until it ends,
 * and a flow may have hundreds.
 */
export class FrameResponse implements StepResponse, Readonly<Marks> {
  readonly signal: "ok" | "throttle" | "failure";
  // Fields that never were undefined have their number in them; used again, they make none.
  declare start: number;
  declare end: number;
  bytesSent: number;
  bytesReceived: number;
  // Most have none of these, and no room for them.
  declare readonly failure?: Failure;
  declare readonly statusText?: string;
  declare readonly samples?: readonly number[];
  declare readonly before?: StepResponse;
  #sent: string | undefined;
  /** A text once the checks have looked at its frame. */
  #came: WsFrame | string | SessionEnd | undefined;
  readonly #capture: Capture;

  constructor(exchange: FrameExchange, capture: Capture) {
    const { start, end, sent, came, failure, samples, before } = exchange;
    const throttled = came !== undefined && !isFrame(came) && came.throttled;
    this.signal = throttled ? "throttle" : failure ? "failure" : "ok";
    this.start = start;
    this.end = end;
    this.bytesSent = exchange.bytesSent;
    this.bytesReceived = exchange.bytesReceived;
    this.#sent = sent;
    this.#came = came;
    this.#capture = capture;
    if (throttled) this.statusText = closeText(came);
    else if (failure) this.failure = failure;
    if (samples) this.samples = samples;
    if (before) this.before = before;
  }

  /** A response, which is that of an earlier step where it has room for no more than that has. */
  static of(
    exchange: FrameExchange,
    capture: Capture,
    spare: StepResponse | undefined,
  ): FrameResponse {
    const { came, failure, samples, before } = exchange;
    const isPlain = came instanceof WsFrame && !failure && !samples && !before;
    if (
      !isPlain || !(spare instanceof FrameResponse) || !spare.reused ||
      spare.#capture !== capture
    ) return new FrameResponse(exchange, capture);
    spare.start = exchange.start;
    spare.end = exchange.end;
    spare.bytesSent = exchange.bytesSent;
    spare.bytesReceived = exchange.bytesReceived;
    spare.#sent = exchange.sent;
    spare.#came = came;
    return spare;
  }

  get reused(): ReusedResponses | undefined {
    return this.signal === "ok" && this.samples === undefined &&
        this.before === undefined
      ? FrameResponse
      : undefined;
  }

  /** Of `ReusedResponses`: their numbers in one array, their texts in one text. */
  static pack(responses: readonly StepResponse[]): () => FrameResponse[] {
    const frames = responses as readonly FrameResponse[];
    const numbers = Float64Array.from(frames.flatMap((
      { start, end, bytesSent, bytesReceived },
    ) => [start, end, bytesSent, bytesReceived]));
    const sent = frames.map((each) => each.#sent);
    const captures = frames.map((each) => each.#capture);
    const texts: string[] = [];
    let length = 0;
    // Of a text, where it ends.
    const came = frames.map((each) => {
      const came = each.#came;
      if (typeof came !== "string") return came;
      texts.push(came);
      return length += came.length;
    });
    const text = texts.join("");
    return () => {
      let begin = 0;
      return came.map((each, index) => {
        const isText = typeof each === "number";
        const said = {
          start: numbers[index * 4]!,
          end: numbers[index * 4 + 1]!,
          bytesSent: numbers[index * 4 + 2]!,
          bytesReceived: numbers[index * 4 + 3]!,
          sent: sent[index],
          came: isText ? text.slice(begin, each) : each,
          ...NOTHING_ELSE,
        };
        if (isText) begin = each;
        return new FrameResponse(said, captures[index]!);
      });
    };
  }

  get span(): "frames" {
    return "frames";
  }

  get marks(): Readonly<Marks> {
    return this;
  }

  get firstByte(): number {
    return isFrame(this.#came) ? this.end : NaN;
  }

  get dns(): number {
    return NaN;
  }

  get connect(): number {
    return NaN;
  }

  get tls(): number {
    return NaN;
  }

  get heldBytes(): number {
    const came = this.#came;
    return (this.#sent?.length ?? 0) + (isFrame(came) ? came.length : 0);
  }

  retryAfter(): undefined {
    return undefined;
  }

  headers(): readonly string[] {
    return [];
  }

  searched(search: JsonSearch): boolean {
    return this.#came instanceof WsFrame && this.#came.searched(search);
  }

  json(): JsonValue | undefined {
    const came = this.#came;
    if (came instanceof WsFrame) return came.json();
    const text = this.bodyText();
    return text === undefined ? undefined : jsonOf(text);
  }

  bodyText(): string | undefined {
    const content = this.#content;
    return typeof content === "string" ? content : undefined;
  }

  /** The bytes of a frame lie in the buffer of its connection, which reads on now. */
  checked(): void {
    const came = this.#came;
    if (came instanceof WsFrame && came.isText) this.#came = came.decode();
  }

  get #content(): string | Uint8Array | undefined {
    const came = this.#came;
    if (!(came instanceof WsFrame)) {
      return typeof came === "string" ? came : undefined;
    }
    return came.isText ? came.decode() : came.content;
  }

  detach(): void {
    this.checked();
  }

  capturedRequest(limits?: BodyLimits): CapturedMessage | undefined {
    return this.#sent === undefined
      ? undefined
      : this.#message(TEXT_FRAME, this.#sent, limits);
  }

  capturedResponse(limits?: BodyLimits): CapturedMessage | undefined {
    const content = this.#content;
    if (content !== undefined) {
      const line = typeof content === "string" ? TEXT_FRAME : "binary frame";
      return this.#message(line, content, limits);
    }
    const end = this.#came as SessionEnd | undefined;
    if (end?.line === undefined) return undefined;
    return this.#message(end.line, end.reason ?? "", limits);
  }

  #message(
    line: string,
    content: string | Uint8Array,
    { whole }: BodyLimits = STORED_BODIES,
  ): CapturedMessage | undefined {
    if (this.#capture === "none") return undefined;
    if (this.#capture === "headers" || content.length === 0) {
      return { line, headers: [] };
    }
    return { line, headers: [], ...captured(content, whole) };
  }
}

const NOTHING_ELSE = {
  failure: undefined,
  before: undefined,
  samples: undefined,
};

type Came = WsFrame | string;

function isFrame(came: Came | SessionEnd | undefined): came is Came {
  return typeof came === "string" || came instanceof WsFrame;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function captured(content: string | Uint8Array, whole: boolean): CapturedBody {
  if (typeof content !== "string") {
    return captureBody(content, "application/octet-stream", { whole });
  }
  const body_bytes = Buffer.byteLength(content);
  return whole
    ? { body: content.toWellFormed(), body_bytes }
    : captureText(content, body_bytes);
}

/** `close code 1013 (try again later): come back at noon`. */
function closeText({ line = "", reason }: SessionEnd): string {
  const text = line.replace("close", "close code");
  return reason ? `${text}: ${reason}` : text;
}
