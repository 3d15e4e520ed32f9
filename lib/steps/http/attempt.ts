import {
  type Adapter,
  type AttemptContext,
  type OpenTools,
  settle,
} from "../protocol.ts";
import type { HttpBlock } from "./block.ts";
import type { RequestBody } from "./body.ts";
import { HttpResponse, type Judge } from "./response.ts";
import { prepareRequest, type RenderedRequest } from "./request.ts";
import { AuthError, type Authorizer } from "../auth/scheme.ts";
import { Deadline } from "../../wire/net/deadlines.ts";
import type { WireResponse } from "../../wire/net/wire_response.ts";
import { contentOf } from "../../wire/http1/content.ts";

/** The differences of a protocol on top of HTTP. */
interface HttpManner {
  readonly body?: RequestBody | undefined;
  readonly judge?: Judge;
}

/** Makes an HTTP step ready: one exchange an attempt. */
export function openHttp(
  block: HttpBlock,
  tools: OpenTools,
  { body, judge }: HttpManner = {},
): Adapter {
  const make = prepareRequest(block, tools, body);
  const { authorizer, timeoutMs, wall, capture } = tools;
  const decoded = async (response: WireResponse, sent: RenderedRequest) => {
    const content = await contentOf(response);
    return new HttpResponse(response, sent, wall, capture, judge, content);
  };
  const exchange: Adapter["attempt"] = (
    { scope, connections, cookies },
    end,
    withinMs = timeoutMs,
  ) => {
    const request = make(scope, cookies);
    const limit = Math.min(timeoutMs, withinMs);
    connections.exchange(request.url.origin, request, limit, (response) => {
      let read: HttpResponse;
      try {
        if (cookies && response.setsCookies) {
          cookies.take(response.lines("set-cookie"), request.url);
        }
        if (response.encoded) {
          return settle(decoded(response, request), end);
        }
        read = new HttpResponse(response, request, wall, capture, judge);
      } catch (error) {
        return end.error(error);
      }
      end.response(read);
    });
  };
  return { attempt: authorized(exchange, authorizer) };
}

/** An exchange behind the token it needs, where it needs one. */
export function authorized(
  exchange: Adapter["attempt"],
  authorizer: Authorizer | undefined,
): Adapter["attempt"] {
  if (!authorizer?.ready) return exchange;
  const ready = authorizer.ready.bind(authorizer);
  return (context, end, withinMs) => {
    const pending = ready(context.scope);
    if (!pending) return exchange(context, end, withinMs);
    leftAfter(pending, context, withinMs)
      .then((left) => exchange(context, end, left))
      .catch((error) => end.error(error));
  };
}

/** The rest of the time of a step that repeats, once it has its token. */
async function leftAfter(
  pending: Promise<void>,
  context: AttemptContext,
  withinMs: number | undefined,
): Promise<number | undefined> {
  if (withinMs === undefined) {
    await pending;
    return undefined;
  }
  const { deadlines } = context;
  const from = context.now();
  const late = Promise.withResolvers<never>();
  const expire = () =>
    late.reject(new AuthError("timeout", "no token in time"));
  const deadline = new Deadline({ expire });
  deadlines.start(deadline, from, withinMs);
  try {
    await Promise.race([pending, late.promise]);
  } finally {
    deadlines.stop(deadline);
  }
  return Math.max(1, withinMs - (context.now() - from));
}
