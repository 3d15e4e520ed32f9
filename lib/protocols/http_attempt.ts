import type { Adapter, AttemptContext, OpenTools } from "./protocol.ts";
import type { HttpBlock } from "./http_block.ts";
import { HttpReply } from "./http_reply.ts";
import { prepareRequest } from "./http_request.ts";

/** Makes an HTTP step ready: one exchange an attempt. */
export function openHttp(block: HttpBlock, tools: OpenTools): Adapter {
  const make = prepareRequest(block, tools);
  const { authorizer, timeoutMs, wall, capture } = tools;
  const { method } = block;
  const exchange = async ({ scope, connections }: AttemptContext) => {
    const { url, bytes } = make(scope);
    const answer = await connections.exchange(
      url.origin,
      method,
      bytes,
      timeoutMs,
    );
    return new HttpReply(answer, bytes, method, wall, capture);
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
