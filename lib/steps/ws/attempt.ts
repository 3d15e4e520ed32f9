import { compileNeeds } from "../../language/expressions/check.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import type { Failure } from "../../model/result/failure.ts";
import { serviceTime, type StepResponse } from "../../model/result/response.ts";
import {
  type Adapter,
  type AttemptContext,
  exchangeless,
  type OpenTools,
} from "../protocol.ts";
import type { WsBlock } from "./block.ts";
import { WsFrame } from "./frame.ts";
import { type Handshake, prepareHandshake } from "./handshake.ts";
import { durationText, prepareReceive, type Receiving } from "./receiving.ts";
import { FrameResponse } from "./response.ts";
import { type Waited, WsSession } from "./session.ts";

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
  ) => {
    const pending = authorizer?.ready?.(context.scope);
    if (pending) await pending;
    const { response, session } = await handshake(context);
    if (!session || !exchanges) return response;
    return await exchange(session, context, sent, response);
  };
  return {
    attempt(context) {
      // First of all, so that a template without a value opens nothing.
      needs(context.scope);
      const sent = frame?.render(context.scope);
      if (handshake) return open(handshake, context, sent);
      const session = context.sessions.get(key);
      return session instanceof WsSession
        ? exchange(session, context, sent, undefined)
        : Promise.resolve(notOpen(block.session, context.now()));
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
  const { capture, timeoutMs } = tools;
  return async (
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
      waited = await session.receive(receive, receive.filter.timeoutMs);
    }
    const end = waited instanceof WsFrame
      ? Math.max(start, waited.at)
      : context.now();
    // A session that ended in place of a response says nothing of how long one takes.
    const broken = typeof waited === "object" && !(waited instanceof WsFrame) &&
      !waited.throttled;
    return new FrameResponse(
      {
        start,
        end,
        sent: unsent ? undefined : sent,
        came: typeof waited === "object" ? waited : undefined,
        failure: failureOf(waited, receive, timeoutMs),
        bytesSent: session.takeSent() + (before?.bytesSent ?? 0),
        bytesReceived: session.takeReceived() + (before?.bytesReceived ?? 0),
        before,
        samples: samplesOf(before, broken ? NaN : end - start, sent, receive),
      },
      capture,
    );
  };
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
      `the frame could not be written within ${durationText(timeoutMs)}`,
  };
}
