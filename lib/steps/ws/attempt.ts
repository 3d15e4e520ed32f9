import { formatAssertion } from "../../language/expressions/assertion.ts";
import {
  compileCheck,
  compileNeeds,
} from "../../language/expressions/check.ts";
import type { Scope } from "../../language/expressions/names.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import { type Failure, failureBy } from "../../model/result/failure.ts";
import { serviceTime, type StepResponse } from "../../model/result/response.ts";
import { formatDuration } from "../../base/values/duration.ts";
import type { Adapter, AttemptContext, OpenTools } from "../protocol.ts";
import { exchangeless } from "../http/silent_response.ts";
import type { WsBlock } from "./block.ts";
import { WsFrame } from "./frame.ts";
import { prepareHandshake } from "./handshake.ts";
import { type FrameExchange, FrameResponse } from "./response.ts";
import { type Waited, WsSession } from "./session.ts";

/** Makes a `ws` step ready. */
export function openWs(block: WsBlock, tools: OpenTools): Adapter {
  const key = `ws:${block.session ?? ""}`;
  const { url, headers, subprotocols } = block;
  const handshake = url === undefined ? undefined : prepareHandshake(
    { url, ...(headers && { headers }), ...(subprotocols && { subprotocols }) },
    key,
    tools,
  );
  const frame = prepareFrame(block, tools);
  const exchange = prepareExchange(block, tools);
  const needs = compileNeeds(block.receive?.match ?? [], tools.names);
  const { authorizer } = tools;
  return {
    async attempt(context) {
      // First of all, so that a template without a value opens nothing.
      needs(context.scope);
      const sent = frame?.(context.scope);
      if (!handshake) {
        const session = context.sessions.get(key);
        return session instanceof WsSession
          ? await exchange(session, context, sent, undefined)
          : notOpen(block.session, context.now());
      }
      const pending = authorizer?.ready?.(context.scope);
      if (pending) await pending;
      const { response, session } = await handshake(context);
      if (!session) return response;
      if (!exchange.needed) return response;
      return await exchange(session, context, sent, response);
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

/** The frame to send. */
function prepareFrame(
  { send }: WsBlock,
  { names }: OpenTools,
): ((scope: Scope) => string) | undefined {
  if (send === undefined) return undefined;
  const payload = compilePayload(send, names);
  return payload.render;
}

interface Exchange {
  (
    session: WsSession,
    context: AttemptContext,
    sent: string | undefined,
    before: StepResponse | undefined,
  ): Promise<StepResponse>;
  /** There is something to send or to receive. */
  readonly needed: boolean;
}

function prepareExchange(block: WsBlock, tools: OpenTools): Exchange {
  const receiver = prepareReceive(block, tools);
  const { capture, timeoutMs } = tools;
  const exchange = async (
    session: WsSession,
    context: AttemptContext,
    sent: string | undefined,
    before: StepResponse | undefined,
  ): Promise<StepResponse> => {
    const start = before?.marks.end ?? context.now();
    const receive = receiver?.(context.scope);
    // What came before its end can be received, but nothing more can be sent.
    const unsent = sent !== undefined && session.end !== undefined;
    let waited: Waited;
    if (unsent) waited = session.end!;
    else if (!receive) waited = await session.sendWhole(sent!, timeoutMs);
    else {
      if (sent !== undefined) session.send(sent);
      waited = await session.receive(receive.takes, receive.timeoutMs);
    }
    const end = waited instanceof WsFrame
      ? Math.max(start, waited.at)
      : context.now();
    const failure = failureOf(waited, receive, timeoutMs);
    const samples = samplesOf(before, end - start, sent, receive);
    return new FrameResponse({
      start,
      end,
      ...(sent !== undefined && !unsent && { sent }),
      ...(typeof waited === "object" && { came: waited }),
      ...(failure && { failure }),
      bytes: withHandshake(session.takeBytes(), before),
      ...(before && { before }),
      ...(samples && { samples }),
    }, capture);
  };
  const needed = block.send !== undefined || receiver !== undefined;
  return Object.assign(exchange, { needed });
}

/** Those of the whole step. */
function withHandshake(
  { sent, received }: FrameExchange["bytes"],
  before: StepResponse | undefined,
): FrameExchange["bytes"] {
  if (!before) return { sent, received };
  return {
    sent: sent + before.bytesSent,
    received: received + before.bytesReceived,
  };
}

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
  const answered = sent !== undefined && receive !== undefined;
  if (!before) return answered ? undefined : [];
  const handshake = serviceTime(before.marks);
  return answered ? [handshake, took] : [handshake];
}

function failureOf(
  waited: Waited,
  receive: Receiving | undefined,
  timeoutMs: number,
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
    message: receive?.late() ??
      `the frame could not be written within ${spoken(timeoutMs)}`,
  };
}

function spoken(ms: number): string {
  return formatDuration(Math.round(ms * 1_000));
}

/** One receive under way. */
interface Receiving {
  readonly timeoutMs: number;
  /** Never throws: it is asked from a callback. */
  takes(frame: WsFrame): boolean;
  /** Why the frame that was taken could not be looked at. */
  readonly broken?: Failure | undefined;
  /** What to say when no frame was taken. */
  late(): string;
}

/** This many skipped frames are shown. */
const MOST_SHOWN = 5;

function prepareReceive(
  { receive }: WsBlock,
  tools: OpenTools,
): ((scope: Scope) => Receiving) | undefined {
  if (!receive) return undefined;
  const { match, timeout_us } = receive;
  const timeoutMs = timeout_us === undefined
    ? tools.timeoutMs
    : timeout_us / 1_000;
  if (!match) {
    const next: Receiving = {
      timeoutMs,
      takes: () => true,
      late: () => `no frame came within ${spoken(timeoutMs)}`,
    };
    return () => next;
  }
  const checks = match.map((each) => compileCheck(each, tools.names));
  const expected = match.map((each) => `\`${formatAssertion(each)}\``)
    .join(" and ");
  return (scope) => {
    const shown: string[] = [];
    let skipped = 0;
    let broken: Failure | undefined;
    return {
      timeoutMs,
      takes(frame) {
        // What cannot be looked at fails the step instead of being skipped.
        try {
          if (frame.error !== undefined) return true;
          if (checks.every((check) => !check(frame, 0, scope))) return true;
          if (skipped++ < MOST_SHOWN) shown.push(frame.shown);
          return false;
        } catch (error) {
          broken = failureBy(error);
          return true;
        }
      },
      get broken() {
        return broken;
      },
      late() {
        const what = `no frame matched ${expected} within ${spoken(timeoutMs)}`;
        if (skipped === 0) return `${what}: none came`;
        const more = skipped > shown.length
          ? ` and ${skipped - shown.length} more`
          : "";
        return `${what}; skipped: ${shown.join(", ")}${more}`;
      },
    };
  };
}
