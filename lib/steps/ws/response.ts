import { Buffer } from "node:buffer";
import { narrowed } from "../../base/values/counts.ts";
import type { JsonValue } from "../../base/values/json.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import { readJson } from "../../base/values/read_json.ts";
import { SharedList } from "../../base/values/shared_list.ts";
import { sum } from "../../base/values/sum.ts";
import { utf8 } from "../../base/values/utf8.ts";
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
import {
  captureBody,
  type CapturedBody,
  captureText,
} from "../http/captured_body.ts";
import { WsFrame } from "./frame.ts";
import { FrameText } from "./frame_text.ts";
import { closeText, type SessionEnd } from "./session_end.ts";

/** The result of one `ws` step on an open session. */
interface FrameExchange {
  /** On the run's clock: when the send or the receive began, when it was over. */
  readonly start: number;
  readonly end: number;
  /** The text frame that was sent. */
  readonly sent: string | undefined;
  /** The frame received, or its text, or the end of the session. */
  readonly came: WsFrame | string | SessionEnd | undefined;
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
  #came: Came | SessionEnd | undefined;
  /** The text of a later frame can be written to it. */
  #text: FrameText | undefined;
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

  /** Of `ReusedResponses`. What is the same in each iteration is kept once. */
  static pack(responses: readonly StepResponse[]): () => FrameResponse[] {
    const frames = responses as readonly FrameResponse[];
    const captures = CAPTURES.of(frames.map((each) => each.#capture));
    const sent = SENT.of(frames.map((each) => each.#sent));
    const times = new Float64Array(frames.length * 2);
    const bytes = new Array<number>(frames.length * 2);
    for (let index = 0; index < frames.length; index++) {
      const each = frames[index]!;
      times[index * 2] = each.start;
      times[index * 2 + 1] = each.end;
      bytes[index * 2] = each.bytesSent;
      bytes[index * 2 + 1] = each.bytesReceived;
    }
    const counts = narrowed(bytes);
    const came = packFrames(frames.map((each) => each.#came as Came));
    return () =>
      came().map((each, index) => {
        const said = {
          start: times[index * 2]!,
          end: times[index * 2 + 1]!,
          bytesSent: counts[index * 2]!,
          bytesReceived: counts[index * 2 + 1]!,
          sent: sent[index],
          came: each,
          ...NOTHING_ELSE,
        };
        return new FrameResponse(said, captures[index]!);
      });
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
    if (!(came instanceof WsFrame) || !came.isText) return;
    if (this.reused) {
      this.#text ??= new FrameText();
      if (this.#text.take(came)) {
        this.#came = this.#text;
        return;
      }
    }
    this.#came = came.decode();
  }

  get #content(): string | Uint8Array | undefined {
    const came = this.#came;
    if (came instanceof FrameText) return came.decode();
    if (came instanceof WsFrame) {
      return came.isText ? came.decode() : came.content;
    }
    return typeof came === "string" ? came : undefined;
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

const CAPTURES = new SharedList<Capture>();
const SENT = new SharedList<string | undefined>();

const NOTHING_ELSE = {
  failure: undefined,
  before: undefined,
  samples: undefined,
};

type Came = WsFrame | FrameText | string;

/** Texts in bytes are copied, one behind the other; returns what makes all again. */
function packFrames(frames: readonly Came[]): () => (WsFrame | string)[] {
  const texts = frames.filter((each) => each instanceof FrameText);
  const others = frames.flatMap((each) =>
    each instanceof FrameText ? [] : [each]
  );
  // One more than the length of a text, 0 for others.
  const lengths = narrowed(
    frames.map((each) => each instanceof FrameText ? each.length + 1 : 0),
  );
  const bytes = new Uint8Array(sum(texts, ({ length }) => length));
  let end = 0;
  for (const text of texts) end = text.copyTo(bytes, end);
  return () => {
    const rest = others.values();
    let start = 0;
    return Array.from(
      lengths,
      (length) =>
        length === 0
          ? rest.next().value!
          : utf8(bytes, start, start += length - 1),
    );
  };
}

function isFrame(came: Came | SessionEnd | undefined): came is Came {
  return came instanceof WsFrame || came instanceof FrameText ||
    typeof came === "string";
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
