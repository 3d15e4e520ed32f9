import type { Clock } from "../../base/time/clock.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import { AuthError } from "../../steps/auth/scheme.ts";
import { createTokenSource } from "../../steps/auth/token_endpoint.ts";
import type { TokenEndpointResponse } from "../../steps/auth/token_response.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { http1Request } from "../../wire/http/request.ts";
import { decodeContent } from "../../wire/http1/content.ts";
import { requestHead, retryAfter } from "../../wire/http1/request_head.ts";
import { Network } from "../../wire/net/network.ts";
import { AllowList, type BaseUrl, resolveUrl } from "../../wire/net/url.ts";
import { TOO_LARGE } from "../../wire/net/wire_error.ts";
import type { Limiter, Requester, SharedMemory } from "../limiter/limiter.ts";
import { tokenLimiter } from "../limiter/rate_limiter.ts";
import type { RunTask } from "../vu/job.ts";
import type { PoolTools, WorkerReport } from "./worker_pool.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The tools that token requests are sent with. */
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
    get beganAt() {
      return clock.now();
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
      const response = await connections.request(
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
        retryAfterMs: retryAfter(response, clock.wall()),
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

/** Tokens that one thread fetches, for itself or for all workers. */
export interface MainTokens {
  readonly tokens: TokenKeeper;
  /** Of its requests. */
  readonly held: HeldBack;
  /** Ends what is under way. */
  close(): void;
}

/** The network of a task: its connections, their routes and TLS. */
export function networkOf(
  { bases, tls, route }: RunTask,
  clock: Clock,
  thread?: number,
): Network {
  const allowList = new AllowList(bases);
  return new Network({ allowList, tls, clock, route, thread });
}

/** @param network a client of the thread's own when absent */
export function mainTokens(
  task: RunTask,
  memory: SharedMemory,
  { clock, stop, registerSecret, knownTokens }: Pick<
    PoolTools,
    "clock" | "stop" | "registerSecret" | "knownTokens"
  >,
  network: Network = networkOf(task, clock),
): MainTokens {
  const { plan, bases: [base], userAgent } = task;
  const held = new HeldBack();
  const closed = new AbortController();
  const signal = AbortSignal.any([stop.signal, closed.signal]);
  const post = postThrough({
    base,
    network,
    plan,
    limiter: tokenLimiter(plan, memory, clock, held),
    userAgent,
    signal,
  });
  const tokens = createTokenSource({
    ...{ post, clock, signal, registerSecret, knownTokens },
  });
  return {
    tokens,
    held,
    close() {
      tokens.close();
      closed.abort();
      network.close();
    },
  };
}

/** Requests for tokens that `max_rps` held back. */
export class HeldBack implements Pick<GeneratorSink, "held"> {
  #held = 0;
  #heldMs = 0;

  held(ms: number): void {
    this.#held++;
    this.#heldMs += ms;
  }

  /** The reports of workers, with these requests counted in. */
  joined(
    [first, ...others]: readonly WorkerReport[],
  ): readonly WorkerReport[] {
    const { generator } = first!;
    const held = generator.held + this.#held;
    const heldMs = generator.heldMs + this.#heldMs;
    return [
      { ...first!, generator: { ...generator, held, heldMs } },
      ...others,
    ];
  }
}
