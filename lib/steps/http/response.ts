import { shortened } from "../../base/text/display.ts";
import type { Capture } from "../../language/ir.ts";
import {
  type BodyLimits,
  type CapturedMessage,
  type HttpVersion,
  type Marks,
  type StepResponse,
  STORED_BODIES,
  TOO_MANY_FIELDS,
} from "../../model/result/response.ts";
import type { Failure } from "../../model/result/failure.ts";
import { headerValue } from "../../base/values/headers.ts";
import type { JsonValue } from "../../base/values/json.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import { readJson } from "../../base/values/read_json.ts";
import type { WireResponse } from "../../wire/net/wire_response.ts";
import { originText } from "../../wire/net/origin.ts";
import { TOO_LARGE } from "../../wire/net/wire_error.ts";
import {
  captureBody,
  captureCoded,
  type CapturedBody,
  declaredText,
  fingerprint,
  notJsonText,
  notUtf8,
  readableText,
  utf8Text,
} from "./captured_body.ts";
import type { Content } from "../../wire/http1/content.ts";
import { JSON_TYPE } from "./body_fields.ts";
import {
  OverwrittenResponse,
  type ShownRequests,
} from "./overwritten_response.ts";
import type { RenderedRequest } from "./request.ts";
import { retryAfter } from "../../wire/http1/request_head.ts";

const NO_JSON = Symbol("no JSON");

/** Judges a whole response that is no throttle: its failure, or undefined when it passes. */
export type Judge = (response: HttpResponse) => Failure | undefined;

const LONGEST_REASON = 100;

/** A status of 400 or more is a failure. */
export function judgeStatus({ wire }: HttpResponse): Failure | undefined {
  if (wire.status < 400) return undefined;
  return {
    code: "status",
    message: `response status was ${statusWords(wire)}`,
  };
}

/** The status with its reason phrase, such as `404 Not Found`. */
export function statusWords({ status, statusLine }: WireResponse): string {
  const words = statusLine.slice(statusLine.indexOf(" ") + 1);
  // A longer one is no phrase, and would be in every message.
  return words === "" || words.length > LONGEST_REASON ? `${status}` : words;
}

/** Where a response of no use to its step redirects to, as the end of a message. */
export function redirection(wire: WireResponse): string {
  const location = wire.header("location");
  return wire.status < 300 || wire.status >= 400 || !location
    ? ""
    : `; it redirects to \`${
      shortened(location)
    }\`, and redirects are not followed`;
}

const SHOWN: ShownRequests<RenderedRequest> = {
  origin: ({ url }) => originText(url.origin),
  captured(sent, version, capture, { whole } = STORED_BODIES) {
    if (capture === "none") return undefined;
    const { line, headers, body } = sent.message(version);
    if (capture === "headers" || body.length === 0) return { line, headers };
    const shown = sent.shown?.(body);
    if (shown !== undefined) {
      return { line, headers, body: shown, body_bytes: body.length };
    }
    const type = headerValue(headers, "content-type");
    return { line, headers, ...captureBody(body, type, { whole }) };
  },
};

/** An HTTP response as the engine sees it. Nothing is decoded until asked for. */
export class HttpResponse implements StepResponse {
  readonly signal: "ok" | "throttle" | "failure";
  readonly failure?: Failure;
  readonly status?: number;
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  #json: JsonValue | undefined | typeof NO_JSON = NO_JSON;
  #detached = false;
  #retryAfter: number | undefined;
  /** Its JSON is not UTF-8. */
  #misread: Failure | undefined;
  /** The search that knows where its values are. */
  #search: JsonSearch | undefined;

  /**
   * @param sent kept for the trace
   * @param content of an encoded response
   */
  constructor(
    readonly wire: WireResponse,
    readonly sent: RenderedRequest,
    readonly wall: () => number,
    readonly capture: Capture,
    judge: Judge = judgeStatus,
    readonly content?: Content,
  ) {
    this.marks = wire.marks;
    this.bytesSent = wire.bytesSent;
    this.bytesReceived = wire.bytesReceived;
    if (wire.status !== 0) this.status = wire.status;
    if (wire.failure) {
      this.signal = "failure";
      this.failure = wire.failure;
    } else if (wire.status === 429) {
      this.signal = "throttle";
    } else {
      const failure = content?.failure ?? judge(this);
      this.signal = failure ? "failure" : "ok";
      if (failure) this.failure = failure;
    }
  }

  get origin(): string {
    return SHOWN.origin(this.sent);
  }

  /** RFC 9110 section 15.5.2. */
  get refusesCredentials(): boolean {
    return this.status === 401;
  }

  /** Decoded, a small body may be a huge one. */
  get heldBytes(): number {
    return this.content ? Infinity : this.bytesSent + this.bytesReceived;
  }

  retryAfter(): number | undefined {
    if (this.#detached) return this.#retryAfter;
    if (this.wire.stale) return undefined;
    return retryAfter(this.wire, this.wall());
  }

  headers(name: string): readonly string[] {
    return this.wire.lines(name);
  }

  searched(search: JsonSearch): boolean {
    if (this.#json !== NO_JSON) return false;
    if (this.#search === search && search.by === this) return search.finds;
    this.#search = search;
    const decoded = this.content?.bytes;
    return decoded
      ? search.search(decoded, 0, decoded.length, this)
      : this.wire.search(search, this);
  }

  json(): JsonValue | undefined {
    if (this.#json === NO_JSON) this.#json = this.#parse();
    return this.#json;
  }

  get bodyFailure(): Failure | undefined {
    if (this.wire.tooLarge) return TOO_LARGE;
    if (this.json() !== undefined) return undefined;
    const left = this.content?.left;
    // Servers write codings that do not exist, such as `none` or `utf-8`.
    return left && this.text() === undefined ? left : this.#misread;
  }

  text(): string | undefined {
    return this.#content().length === 0 || this.json() !== undefined
      ? undefined
      : this.bodyText();
  }

  bodyText(): string | undefined {
    const type = this.wire.header("content-type");
    // What is still in a coding is no text, whatever bytes it has.
    const read = this.content?.left ? declaredText : readableText;
    return read(this.#content(), type);
  }

  exchange(): ReturnType<StepResponse["exchange"] & object> {
    const { method, url: { path } } = this.sent;
    return { method, path, bodyBytes: this.#content().length };
  }

  checked(): void {
    this.#json = NO_JSON;
    // Another response may lie where its values are.
    this.#search = undefined;
  }

  /** A date it says to wait for is a wait from now on, and its trace may come later. */
  detach(): void {
    if (this.#detached) return;
    this.#retryAfter = this.retryAfter();
    this.#detached = true;
    this.wire.detach();
  }

  get overwritten(): boolean {
    return this.wire.stale;
  }

  outlasting(spare: StepResponse | undefined): StepResponse {
    return this.status !== undefined && this.signal === "ok" && this.wire.stale
      ? OverwrittenResponse.of(this, SHOWN, spare)
      : this;
  }

  capturedRequest(limits?: BodyLimits): CapturedMessage | undefined {
    return SHOWN.captured(this.sent, this.wire.version, this.capture, limits);
  }

  capturedResponse(
    { mostBytes, whole }: BodyLimits = STORED_BODIES,
  ): CapturedMessage | undefined {
    const { wire } = this;
    if (this.capture === "none" || wire.stale) return undefined;
    if (wire.statusLine === "") return undefined;
    const shown = {
      line: wire.statusLine,
      headers: wire.headers(TOO_MANY_FIELDS),
    };
    if (this.capture === "headers" || wire.bodyBytes === 0) return shown;
    const body = this.#content();
    if (wire.tooLarge || wire.failure || body.length > mostBytes) {
      const body_bytes = Math.max(body.length, wire.bodyBytes);
      return { ...shown, body_bytes, body_truncated: true };
    }
    const type = wire.header("content-type");
    const encoding = this.headers("content-encoding").join(", ");
    return { ...shown, ...this.#captured(body, type, encoding, whole) };
  }

  #captured(
    body: Uint8Array,
    type: string | undefined,
    encoding: string,
    whole: boolean,
  ): CapturedBody {
    if (!this.content || this.content.bytes) {
      return captureBody(body, type, { whole });
    }
    return this.content.left?.code === TOO_LARGE.code
      ? fingerprint(body)
      : captureCoded(body, type, encoding, whole);
  }

  get httpVersion(): HttpVersion | undefined {
    return this.wire.version;
  }

  #parse(): JsonValue | undefined {
    const content = this.#content();
    if (content.length === 0) return undefined;
    try {
      const text = utf8Text(content);
      const json = readJson(text);
      const holds = typeof json === "object" && json !== null;
      if (!holds && !this.#saysJson()) return undefined;
      this.#misread = notUtf8(text, content);
      return this.#misread ? undefined : json;
    } catch {
      const isJson = JSON_TYPE.test(this.wire.header("content-type") ?? "");
      if (isJson) this.#misread = notJsonText(content);
      return undefined;
    }
  }

  /** Whether a body that is one word or number is JSON: so it is without a type. */
  #saysJson(): boolean {
    return JSON_TYPE.test(this.wire.header("content-type") || "text/json");
  }

  /** The body without its content coding; as it came when that is broken. */
  #content(): Uint8Array {
    return this.content?.bytes ?? this.wire.body;
  }
}
