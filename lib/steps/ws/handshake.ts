import { NO_SCOPE, type Scope } from "../../language/expressions/names.ts";
import { startMarks } from "../../model/result/reply.ts";
import { requestHead } from "../../wire/http1/request_head.ts";
import { WireError } from "../../wire/net/wire_error.ts";
import { prepareParts, type RequestParts } from "../http/request_parts.ts";
import type { AttemptContext, OpenTools } from "../protocol.ts";
import { type HandshakeFacts, HandshakeReply } from "./handshake_reply.ts";
import { Opening } from "./opening.ts";
import type { WsSession } from "./session.ts";

/** What a handshake needs of the block. */
export interface HandshakeBlock {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly subprotocols?: readonly string[];
}

/** A handshake that ended, well or not. */
export interface Handshaken {
  readonly reply: HandshakeReply;
  /** Present when it ended well. */
  readonly session?: WsSession;
}

/** Opens a session and keeps it in the VU's sessions under `key`. */
export type Handshake = (context: AttemptContext) => Promise<Handshaken>;

/** The library's server side must not choose h2. */
const ALPN = ["http/1.1"];

/**
 * Makes the opening handshake ready: GET with an upgrade to WebSocket (RFC 6455
 * section 4.1). Host, declared fields, auth and User-Agent go first, as on any
 * request; what makes it a handshake follows.
 *
 * @throws {RequestError} when a constant part cannot stand in a request
 */
export function prepareHandshake(
  block: HandshakeBlock,
  key: string,
  tools: OpenTools,
): Handshake {
  const parts = prepareParts(
    {
      method: "GET",
      url: block.url,
      ...(block.headers && { headers: block.headers }),
    },
    tools,
    false,
  );
  const make = (scope: Scope) => checked(parts, scope);
  const constant = parts.constant ? make(NO_SCOPE) : undefined;
  const { capture, wall, timeoutMs } = tools;
  const subprotocols = block.subprotocols ?? [];
  return async (context) => {
    const request = constant ?? make(context.scope);
    const { target, url: { origin } } = request;
    const replyOf = (facts: Omit<HandshakeFacts, "origin" | "target">) =>
      new HandshakeReply({ ...facts, origin, target }, capture, wall);
    const marks = startMarks(context.now());
    const opening = new Opening(
      request,
      subprotocols,
      timeoutMs,
      context,
      capture,
    );
    context.sessions.set(key, opening);
    try {
      const dialed = await context.dial(origin, timeoutMs, ALPN, marks);
      const { session, ...facts } = await opening.run(dialed);
      const reply = replyOf(facts);
      if (!session) return { reply };
      context.sessions.set(key, session);
      return { reply, session };
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const { failure } = error;
      marks.end = context.now();
      const bytes = { sent: 0, received: 0 };
      return { reply: replyOf({ marks, failure, bytes }) };
    } finally {
      if (context.sessions.get(key) === opening) context.sessions.delete(key);
      opening.over();
    }
  };
}

/** Nothing that could break out of its place may reach the wire. */
function checked(
  parts: ReturnType<typeof prepareParts>,
  scope: Scope,
): RequestParts {
  const request = parts.make(scope, "");
  requestHead("GET", request.target, request.fields);
  return request;
}
