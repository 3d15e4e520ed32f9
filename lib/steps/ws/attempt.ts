import { formatDuration } from "../../base/values/duration.ts";
import { formatAssertion } from "../../language/expressions/assertion.ts";
import {
  type Check,
  compileCheck,
  compileNeeds,
  searchFor,
} from "../../language/expressions/check.ts";
import { JsonSearch } from "../../base/values/json_search.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import { NO_SCOPE, type Scope } from "../../language/expressions/template.ts";
import { type Failure, failureBy } from "../../model/result/failure.ts";
import { serviceTime, type StepResponse } from "../../model/result/response.ts";
import { WebSocketConnection } from "../../wire/websocket/connection.ts";
import {
  handshakeFields,
  handshakeRefusal,
  newKey,
} from "../../wire/websocket/handshake.ts";
import type { CookieJar } from "../cookie_jar.ts";
import { WholeRequest } from "../http/request.ts";
import { prepareParts, type RequestParts } from "../http/request_parts.ts";
import {
  HttpResponse,
  type Judge,
  redirection,
  statusWords,
} from "../http/response.ts";
import {
  type Adapter,
  type AttemptContext,
  type AttemptEnd,
  exchangeless,
  type OpenTools,
} from "../protocol.ts";
import type { WsBlock } from "./block.ts";
import { WsFrame } from "./frame.ts";
import { FrameResponse } from "./response.ts";
import { type Taker, type Waited, WsSession } from "./session.ts";

/** The bounds that all waits of a step share. */
interface Filter {
  readonly timeoutMs: number;
  /** Empty for the next frame of any kind. */
  readonly checks: readonly Check[];
  /** Of all of them, where they look at single values; else all of a frame is read. */
  readonly search: JsonSearch | undefined;
  readonly expected: string;
}

/** Makes the `receive` of a block ready; undefined without one. */
function prepareReceive(
  { receive }: WsBlock,
  tools: OpenTools,
): ((scope: Scope) => Receiving) | undefined {
  if (!receive) return undefined;
  const { match = [], timeout_us } = receive;
  const { timeoutMs, ownTimeout } = tools;
  const waitMs = timeout_us === undefined ? timeoutMs : timeout_us / 1_000;
  const search = match.length === 0 ? new JsonSearch() : searchFor(match);
  const filter: Filter = {
    timeoutMs: ownTimeout ? Math.min(waitMs, timeoutMs) : waitMs,
    search,
    checks: match.map((each) =>
      compileCheck(each, tools.names, undefined, search)
    ),
    expected: match.map((each) => `\`${formatAssertion(each)}\``)
      .join(" and "),
  };
  if (match.length > 0) return (scope) => new Receiving(filter, scope);
  // It keeps nothing: the first frame ends it.
  const next = new Receiving(filter, NO_SCOPE);
  return () => next;
}

/** This many skipped frames are shown. */
const MOST_SHOWN = 5;

/** A wait for the first frame that all checks hold for. */
class Receiving implements Taker {
  /** Why the frame that was taken could not be looked at. */
  broken: Failure | undefined;
  #shown: string[] | undefined;
  #skipped = 0;

  constructor(readonly filter: Filter, readonly scope: Scope) {}

  takes(frame: WsFrame): boolean {
    // What cannot be looked at fails the step instead of being skipped.
    try {
      const { search } = this.filter;
      if (search) frame.searched(search);
      if (frame.error !== undefined || this.#holds(frame)) return true;
      if (this.#skipped++ < MOST_SHOWN) {
        (this.#shown ??= []).push(frame.shown);
      }
      return false;
    } catch (error) {
      this.broken = failureBy(error);
      return true;
    }
  }

  #holds(frame: WsFrame): boolean {
    for (const check of this.filter.checks) {
      if (check(frame, 0, this.scope)) return false;
    }
    return true;
  }

  /** The message when no frame was taken. */
  late(withinMs: number): string {
    const { expected } = this.filter;
    const within = durationText(withinMs);
    if (expected === "") return `no frame came within ${within}`;
    const what = `no frame matched ${expected} within ${within}`;
    const shown = this.#shown;
    if (!shown) return `${what}: none came`;
    const more = this.#skipped > shown.length
      ? ` and ${this.#skipped - shown.length} more`
      : "";
    return `${what}; skipped: ${shown.join(", ")}${more}`;
  }
}

/** Milliseconds as a message says them. */
function durationText(ms: number): string {
  return formatDuration(Math.round(ms * 1_000));
}

/** A handshake that ended, well or not. */
interface Handshaken {
  readonly response: HttpResponse;
  /** Present when it ended well. */
  readonly session?: WsSession;
}

/** Opens a session and keeps it in the VU's sessions under `key`. */
type Handshake = (context: AttemptContext) => Promise<Handshaken>;

/**
 * Makes the opening handshake ready: GET with an upgrade to WebSocket (RFC 6455
 * section 4.1). Host, declared fields, auth and User-Agent go first, as on any
 * request; what makes it a handshake follows.
 *
 * @throws {RequestError} when a constant part cannot be in a request
 */
function prepareHandshake(
  block: WsBlock & { readonly url: string },
  key: string,
  tools: OpenTools,
): Handshake {
  const { url, headers = {}, subprotocols = [] } = block;
  const parts = prepareParts({ method: "GET", url, headers }, tools, undefined);
  const make = (scope: Scope, jar?: CookieJar) => parts.make(scope, "", jar);
  const constant = parts.constant && parts.cookies === undefined
    ? make(NO_SCOPE)
    : undefined;
  const { capture, wall, timeoutMs } = tools;
  return async (context) => {
    const nonce = newKey();
    const request = asked(
      constant ?? make(context.scope, context.cookies),
      nonce,
      subprotocols,
    );
    const { response: wire, upgraded } = await context.connections.upgrade(
      request.url.origin,
      request.http1(),
      timeoutMs,
    );
    context.cookies?.take(wire.lines("set-cookie"), request.url);
    const judge = judgeHandshake(nonce, subprotocols);
    const response = new HandshakeResponse(wire, request, wall, capture, judge);
    if (!upgraded) return { response };
    const { stream, rest, network } = upgraded;
    if (response.signal !== "ok" || context.signal.aborted) {
      stream.close();
      return { response };
    }
    const { clock, handOver, outbox } = network;
    const time = { clock, deadlines: context.deadlines, handOver, outbox };
    const session = new WsSession(
      (events) => new WebSocketConnection(stream, rest, time, events),
      context,
      capture,
    );
    context.sessions.set(key, session);
    return { response, session };
  };
}

/** A response to a handshake, which a URL of another scheme leads to. */
class HandshakeResponse extends HttpResponse {
  override get origin(): string {
    return super.origin.replace(/^http/, "ws");
  }
}

function asked(
  parts: RequestParts,
  nonce: string,
  subprotocols: readonly string[],
): WholeRequest {
  const fields = [...parts.fields, ...handshakeFields(nonce, subprotocols)];
  return new WholeRequest({ ...parts, fields }, "", undefined, () => []);
}

/** Judges the handshake's response, which is neither a failed request nor a 429. */
function judgeHandshake(
  nonce: string,
  subprotocols: readonly string[],
): Judge {
  return ({ wire }): Failure | undefined => {
    if (wire.status !== 101) {
      return {
        code: "handshake",
        message: `the response to the handshake was ${
          statusWords(wire)
        }, not 101 Switching Protocols${redirection(wire)}`,
      };
    }
    const why = handshakeRefusal(wire.headers(), nonce, subprotocols);
    return why === undefined ? undefined : {
      code: "protocol",
      message: `protocol: bad WebSocket handshake: ${why}`,
    };
  };
}

/** Makes a `ws` step ready. */
export function openWs(block: WsBlock, tools: OpenTools): Adapter {
  const key = `ws:${block.session ?? ""}`;
  const { url, send } = block;
  const handshake = url === undefined
    ? undefined
    : prepareHandshake({ ...block, url }, key, tools);
  const frame = send === undefined
    ? undefined
    : compilePayload(send, tools.names);
  const exchange = prepareExchange(block, tools);
  const exchanges = send !== undefined || block.receive !== undefined;
  const needs = compileNeeds(block.receive?.match ?? [], tools.names);
  const { authorizer } = tools;
  const open = async (
    handshake: Handshake,
    context: AttemptContext,
    sent: string | undefined,
    end: AttemptEnd,
  ) => {
    const pending = authorizer?.ready?.(context.scope);
    if (pending) await pending;
    const { response, session } = await handshake(context);
    if (!session || !exchanges) return end.response(response);
    exchange(session, context, sent, response, end);
  };
  return {
    attempt(context, end) {
      // First of all, so that a template without a value opens nothing.
      needs(context.scope);
      const sent = frame?.render(context.scope);
      if (handshake) {
        return void open(handshake, context, sent, end)
          .catch((error) => end.error(error));
      }
      const session = context.sessions.get(key);
      if (session instanceof WsSession) {
        exchange(session, context, sent, undefined, end);
      } else end.response(notOpen(block.session, context.now()));
    },
  };
}

/** The step that should have opened it did not pass, and the flow went on. */
function notOpen(name: string | undefined, now: number): StepResponse {
  return {
    ...exchangeless(now, now),
    signal: "failure",
    samples: [],
    failure: {
      code: "session",
      message: `${
        name === undefined ? "the unnamed session" : `the session \`${name}\``
      } is not open: the step that opens it did not`,
    },
  };
}

function prepareExchange(block: WsBlock, tools: OpenTools) {
  const receiver = prepareReceive(block, tools);
  const { capture, timeoutMs, ownTimeout } = tools;
  return (
    session: WsSession,
    context: AttemptContext,
    sent: string | undefined,
    before: StepResponse | undefined,
    attempt: AttemptEnd,
  ): void => {
    const now = context.now();
    const { spare } = context;
    const receive = receiver?.(context.scope);
    const waitMs = receive?.filter.timeoutMs ?? timeoutMs;
    const limitMs = ownTimeout && before
      ? Math.min(waitMs, leftOf(timeoutMs, now - before.marks.start))
      : waitMs;
    // What came before its end can be received, but nothing more can be sent.
    const unsent = sent !== undefined && session.end !== undefined;
    const endWait = (waited: Waited): void => {
      const asked = before?.marks.end ?? now;
      const { leftAt } = session;
      // The work of other VUs before the frame left is not the server's.
      const start = sent !== undefined && leftAt > asked ? leftAt : asked;
      const end = waited instanceof WsFrame
        ? Math.max(start, waited.at)
        : context.now();
      // A session that ended in place of a response says nothing of how long one takes.
      const broken = typeof waited === "object" &&
        !(waited instanceof WsFrame) && !waited.throttled;
      const exchanged = {
        start,
        end,
        sent: unsent ? undefined : sent,
        came: typeof waited === "object" ? waited : undefined,
        failure: failureOf(
          waited,
          receive,
          limitMs < waitMs ? timeoutMs : waitMs,
        ),
        bytesSent: session.takeSent() + (before?.bytesSent ?? 0),
        bytesReceived: session.takeReceived() + (before?.bytesReceived ?? 0),
        before,
        samples: samplesOf(before, broken ? NaN : end - start, sent, receive),
      };
      attempt.response(FrameResponse.of(exchanged, capture, spare));
    };
    if (unsent) return endWait(session.end!);
    if (!receive) return session.sendWhole(sent!, now, limitMs, endWait);
    if (sent !== undefined) session.send(sent);
    session.receive(receive, now, limitMs, endWait);
  };
}

/**
 * The rest of the time of an attempt that began with a handshake: in steps, because
 * each length of a deadline costs a sleeper of its own.
 */
function leftOf(timeoutMs: number, tookMs: number): number {
  const step = timeoutMs / 256;
  return Math.max(1, Math.floor((timeoutMs - tookMs) / step)) * step;
}

/** Of a step that neither opens a session nor waits for a response. */
const NO_SAMPLES: readonly number[] = [];

/**
 * One for a handshake, one for a send with its response, none for the rest.
 * Undefined: the exchange's own and no other.
 */
function samplesOf(
  before: StepResponse | undefined,
  took: number,
  sent: string | undefined,
  receive: Receiving | undefined,
): readonly number[] | undefined {
  const received = sent !== undefined && receive !== undefined;
  if (!before) return received ? undefined : NO_SAMPLES;
  const handshake = serviceTime(before.marks);
  return received ? [handshake, took] : [handshake];
}

function failureOf(
  waited: Waited,
  receive: Receiving | undefined,
  withinMs: number,
): Failure | undefined {
  if (waited === "written") return undefined;
  if (waited instanceof WsFrame) {
    const { error } = waited;
    return error === undefined
      ? receive?.broken
      : { code: "frame", message: error };
  }
  if (waited !== "late") return waited.failure;
  return {
    code: "timeout",
    message: receive?.late(withinMs) ??
      `the frame could not be written within ${durationText(withinMs)}`,
  };
}
