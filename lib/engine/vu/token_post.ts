import { AuthError } from "../../steps/auth/scheme.ts";
import type { TokenEndpointResponse } from "../../steps/auth/token_response.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { http1Request } from "../../wire/http/request.ts";
import type { Network } from "../../wire/net/network.ts";
import { TOO_LARGE } from "../../wire/net/exchange_failure.ts";
import { retryAfter } from "../../wire/http1/retry_after.ts";
import { requestHead } from "../../wire/http1/request_head.ts";
import { type BaseUrl, resolveUrl } from "../../wire/net/url.ts";
import { decodeContent } from "../../wire/http1/content.ts";
import type { Limiter, Requester } from "../limiter/limiter.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What token requests are sent with. */
interface Sender {
  readonly network: Network;
  readonly base: BaseUrl;
  readonly userAgent: string;
  readonly plan: { readonly requestTimeoutMs: number };
  /** A token request is held back by `max_rps` like any other. */
  readonly limiter: Limiter;
  /** Cuts off what is under way. */
  readonly signal: AbortSignal;
}

/**
 * Sends token requests the way steps are sent: same client, same allow-list,
 * same bound. Each has a connection of its own, because two credentials may be
 * fetched at the same time.
 */
export function postThrough(
  run: Sender,
): (
  url: string,
  headers: HeaderList,
  body: string,
) => Promise<TokenEndpointResponse> {
  const { network: { clock }, signal } = run;
  const requester: Requester = {
    get stopped() {
      return signal.aborted;
    },
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms, signal),
  };
  return async (url, headers, body) => {
    const { origin, path, query } = resolveUrl(url, run.base);
    const bytes = encoder.encode(body);
    const head = requestHead("POST", query === "" ? path : `${path}?${query}`, [
      ["Host", origin.hostHeader],
      ...headers,
      ["User-Agent", run.userAgent],
      ["Content-Length", String(bytes.length)],
    ]);
    await run.limiter.acquire(requester);
    if (signal.aborted) throw new Error("the run is over");
    const connections = new HttpConnections(run.network);
    const cut = () => connections.close();
    run.signal.addEventListener("abort", cut, { once: true });
    try {
      const response = await connections.exchange(
        origin,
        http1Request("POST", encoder.encode(head + body)),
        run.plan.requestTimeoutMs,
      );
      if (response.failure) throw cause(response.failure, url);
      if (response.tooLarge) throw new Error(TOO_LARGE.message);
      const content = await decodeContent(
        response.body,
        response.lines("content-encoding").join(", "),
      );
      return {
        status: response.status,
        body: decoder.decode(content),
        retryAfterMs: retryAfter(response.header("retry-after"), clock.wall()),
      };
    } finally {
      run.signal.removeEventListener("abort", cut);
      connections.close();
    }
  };
}

/** A host off the allow-list is not the same as one that did not respond. */
function cause({ code, message }: Failure, url: string): Error {
  return code === "forbidden-host"
    ? new AuthError(code, `Cannot fetch a token from \`${url}\`: ${message}`)
    : new Error(message);
}
