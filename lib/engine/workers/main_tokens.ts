import type { GeneratorSink } from "../../model/result/iteration.ts";
import { createTokenSource } from "../../steps/auth/token_endpoint.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import type { Clock } from "../../base/time/clock.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { Network } from "../../wire/net/network.ts";
import type { SharedMemory } from "../limiter/shared_memory.ts";
import { tokenLimiter } from "../limiter/token_limiter.ts";
import type { RunTask } from "../vu/job.ts";
import { postThrough } from "../vu/token_post.ts";
import type { PoolTools, WorkerReport } from "./worker_pool.ts";

/** Tokens that one thread fetches, for itself or for all workers. */
export interface MainTokens {
  readonly tokens: TokenKeeper;
  /** Of its requests. */
  readonly held: HeldBack;
  /** Ends what is under way. */
  close(): void;
}

/** What requests of `task` go through. */
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
  { clock, stop, registerSecret }: Pick<
    PoolTools,
    "clock" | "stop" | "registerSecret"
  >,
  network: Network = networkOf(task, clock),
): MainTokens {
  const { plan, bases: [base], userAgent } = task;
  const held = new HeldBack();
  const closed = new AbortController();
  const post = postThrough({
    base,
    network,
    plan,
    limiter: tokenLimiter(plan, memory, clock, held),
    userAgent,
    signal: AbortSignal.any([stop.signal, closed.signal]),
  });
  const tokens = createTokenSource({ post, clock, registerSecret });
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

  /** What workers recorded, with these requests counted in. */
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
