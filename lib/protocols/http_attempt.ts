import type { Adapter, AttemptContext, OpenTools } from "./protocol.ts";
import type { HttpBlock } from "./http_block.ts";
import type { TextTemplate } from "../expr/template.ts";
import { HttpReply, type Judge } from "./http_reply.ts";
import { prepareRequest } from "./http_request.ts";

/** What a protocol on top of HTTP does differently. */
export interface HttpManner {
  /** The body's text. */
  readonly body?: TextTemplate;
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
  const { method } = block;
  // A callback in place of an async function saves a promise a request.
  const exchange = ({ scope, connections }: AttemptContext) => {
    const { url, bytes } = make(scope);
    return connections.exchange(url.origin, method, bytes, timeoutMs)
      .then((answer) =>
        new HttpReply(answer, bytes, url.origin, wall, capture, judge)
      );
  };
  if (!authorizer?.ready) return { attempt: exchange };
  const ready = authorizer.ready.bind(authorizer);
  return {
    async attempt(context) {
      const pending = ready(context.scope);
      if (pending) await pending;
      return await exchange(context);
    },
  };
}
