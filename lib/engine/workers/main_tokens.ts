import type { GeneratorData } from "../../results/record/generator.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import type { Clock } from "../../base/time/clock.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { Network } from "../../wire/net/network.ts";
import { parseBaseUrl } from "../../wire/net/url.ts";
import type { SharedMemory } from "../limiter/shared_memory.ts";
import { tokenLimiter } from "../limiter/token_limiter.ts";
import { fetchTokens } from "../vu/job.ts";
import type { Stop } from "../vu/stop.ts";
import type { RunTask } from "./worker_pool.ts";

/** Tokens that the main thread fetches for all workers. */
export interface MainTokens {
  readonly tokens: TokenKeeper;
  /** Of its requests. */
  readonly held: HeldBack;
  /** Ends what is under way. */
  close(): void;
}

/** Opens a client of the main thread's own, for tokens. */
export function mainTokens(
  task: RunTask,
  memory: SharedMemory,
  { clock, stop, registerSecret }: {
    readonly clock: Clock;
    readonly stop: Stop;
    readonly registerSecret: (value: string) => void;
  },
): MainTokens {
  const bases = task.baseUrls.map(parseBaseUrl);
  const network = new Network({
    allowList: new AllowList(bases),
    tls: task.tls,
    clock,
    route: task.route,
  });
  const held = new HeldBack();
  const closed = new AbortController();
  const tokens = fetchTokens({
    base: bases[0]!,
    clock,
    network,
    plan: task.plan,
    limiter: tokenLimiter(task.plan, memory, clock, held),
    registerSecret,
    userAgent: task.userAgent,
    signal: AbortSignal.any([stop.signal, closed.signal]),
  });
  return {
    tokens,
    held,
    close() {
      closed.abort();
      network.close();
    },
  };
}

/** Requests of the main thread, for tokens, that `max_rps` held back. */
export class HeldBack implements Pick<GeneratorSink, "held"> {
  #held = 0;
  #heldMs = 0;

  held(ms: number): void {
    this.#held++;
    this.#heldMs += ms;
  }

  /** What a worker recorded, with these requests counted in. */
  joined(data: GeneratorData): GeneratorData {
    const { held, heldMs } = data;
    return {
      ...data,
      held: held + this.#held,
      heldMs: heldMs + this.#heldMs,
    };
  }
}
