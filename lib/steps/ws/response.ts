import type { Capture } from "../../language/ir.ts";
import type { Failure } from "../../model/result/failure.ts";
import {
  type BodyLimits,
  type CapturedMessage,
  type Marks,
  type StepResponse,
  STORED_BODIES,
} from "../../model/result/response.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { captureBody } from "../http/captured_body.ts";
import { WsFrame } from "./frame.ts";
import type { SessionEnd } from "./session_end.ts";

const encoder = new TextEncoder();

/** What one `ws` step did on an open session. */
interface FrameExchange {
  /** On the run's clock: when the send or the receive began, when it was over. */
  readonly start: number;
  readonly end: number;
  /** The text frame that was sent. */
  readonly sent: string | undefined;
  /** What came: a frame, or the end of the session. */
  readonly came: WsFrame | SessionEnd | undefined;
  readonly failure: Failure | undefined;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** The handshake of the same step. */
  readonly before: StepResponse | undefined;
  /** Service times; the exchange's own when undefined. */
  readonly samples: readonly number[] | undefined;
}

/** Most phases never happen on an open session: they take no room. */
class FrameMarks implements Readonly<Marks> {
  constructor(
    readonly start: number,
    readonly firstByte: number,
    readonly end: number,
  ) {}

  get sent(): number {
    return this.start;
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
}

/** A frame exchange as the engine sees it. */
export class FrameResponse implements StepResponse {
  readonly signal: "ok" | "throttle" | "failure";
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly failure?: Failure;
  readonly statusText?: string;
  readonly samples?: readonly number[];
  readonly before?: StepResponse;
  readonly #sent: string | undefined;
  readonly #came: WsFrame | SessionEnd | undefined;
  readonly #capture: Capture;

  constructor(exchange: FrameExchange, capture: Capture) {
    const { start, end, sent, came, failure, samples, before } = exchange;
    const frame = came instanceof WsFrame;
    const throttled = came !== undefined && !frame && came.throttled;
    this.signal = throttled ? "throttle" : failure ? "failure" : "ok";
    this.marks = new FrameMarks(start, frame ? end : NaN, end);
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

  get span(): string {
    return "frames";
  }

  retryAfter(): undefined {
    return undefined;
  }

  header(): undefined {
    return undefined;
  }

  json(): JsonValue | undefined {
    return this.#came instanceof WsFrame ? this.#came.json() : undefined;
  }

  detach(): void {}

  capturedRequest(
    { whole }: BodyLimits = STORED_BODIES,
  ): CapturedMessage | undefined {
    return this.#sent === undefined
      ? undefined
      : this.#message("text frame", encoder.encode(this.#sent), whole);
  }

  capturedResponse(
    { whole }: BodyLimits = STORED_BODIES,
  ): CapturedMessage | undefined {
    const came = this.#came;
    if (came instanceof WsFrame) {
      const { content } = came;
      return typeof content === "string"
        ? this.#message("text frame", encoder.encode(content), whole)
        : this.#message("binary frame", content, whole);
    }
    if (came?.line === undefined) return undefined;
    return this.#message(came.line, encoder.encode(came.reason ?? ""), whole);
  }

  #message(
    line: string,
    body: Uint8Array,
    whole: boolean,
  ): CapturedMessage | undefined {
    if (this.#capture === "none") return undefined;
    if (this.#capture === "headers" || body.length === 0) {
      return { line, headers: [] };
    }
    const type = line === "binary frame" ? "application/octet-stream" : "";
    return { line, headers: [], ...captureBody(body, type, { whole }) };
  }
}

/** `close code 1013 (try again later): come back at noon`. */
function closeText({ line = "", reason }: SessionEnd): string {
  const text = line.replace("close", "close code");
  return reason ? `${text}: ${reason}` : text;
}
