import { NO_SCOPE, type Scope } from "../../language/expressions/names.ts";
import type { Failure } from "../../model/result/failure.ts";
import { requestHead } from "../../wire/http1/request_head.ts";
import { WebSocketConnection } from "../../wire/websocket/connection.ts";
import {
  handshakeFields,
  handshakeRefusal,
  newKey,
} from "../../wire/websocket/handshake.ts";
import { HttpResponse, type Judge } from "../http/response.ts";
import { RenderedRequest } from "../http/request.ts";
import { prepareParts, type RequestParts } from "../http/request_parts.ts";
import type { AttemptContext, OpenTools } from "../protocol.ts";
import type { WsBlock } from "./block.ts";
import { WsSession } from "./session.ts";

/** A handshake that ended, well or not. */
interface Handshaken {
  readonly response: HttpResponse;
  /** Present when it ended well. */
  readonly session?: WsSession;
}

/** Opens a session and keeps it in the VU's sessions under `key`. */
export type Handshake = (context: AttemptContext) => Promise<Handshaken>;

/**
 * Makes the opening handshake ready: GET with an upgrade to WebSocket (RFC 6455
 * section 4.1). Host, declared fields, auth and User-Agent go first, as on any
 * request; what makes it a handshake follows.
 *
 * @throws {RequestError} when a constant part cannot be in a request
 */
export function prepareHandshake(
  block: WsBlock & { readonly url: string },
  key: string,
  tools: OpenTools,
): Handshake {
  const { url, headers = {}, subprotocols = [] } = block;
  const parts = prepareParts({ method: "GET", url, headers }, tools, undefined);
  const make = (scope: Scope) => {
    const request = parts.make(scope, "");
    // Nothing that could break out of its place may reach the wire.
    requestHead("GET", request.target, request.fields);
    return request;
  };
  const constant = parts.constant ? make(NO_SCOPE) : undefined;
  const { capture, wall, timeoutMs } = tools;
  return async (context) => {
    const nonce = newKey();
    const request = asked(
      constant ?? make(context.scope),
      nonce,
      subprotocols,
    );
    const { response: wire, upgraded } = await context.connections.upgrade(
      request.url.origin,
      request.http1(),
      timeoutMs,
    );
    const judge = judgeHandshake(nonce, subprotocols);
    const response = new HandshakeResponse(wire, request, wall, capture, judge);
    if (!upgraded) return { response };
    const { stream, rest, clock } = upgraded;
    if (response.signal !== "ok" || context.signal.aborted) {
      stream.close();
      return { response };
    }
    const time = { clock, deadlines: context.deadlines };
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
  { url, target, fields }: RequestParts,
  nonce: string,
  subprotocols: readonly string[],
): RenderedRequest {
  const all = [...fields, ...handshakeFields(nonce, subprotocols)];
  const head = requestHead("GET", target, all);
  return new RenderedRequest("GET", url, head, "", () => []);
}

/** What is wrong with a response that is neither a failure nor a 429. */
function judgeHandshake(
  nonce: string,
  subprotocols: readonly string[],
): Judge {
  return ({ wire }): Failure | undefined => {
    if (wire.status !== 101) {
      const said = wire.statusLine.slice(wire.statusLine.indexOf(" ") + 1);
      return {
        code: "handshake",
        message:
          `the response to the handshake was ${said}, not 101 Switching Protocols`,
      };
    }
    const why = handshakeRefusal(wire.headers(), nonce, subprotocols);
    return why === undefined ? undefined : {
      code: "protocol",
      message: `protocol: bad WebSocket handshake: ${why}`,
    };
  };
}
