import type { Clock } from "../../base/time/clock.ts";
import {
  IMMEDIATE,
  type Limiter,
  type Permit,
  type Requester,
  UNLIMITED,
} from "./limiter.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { RunPlan } from "../plan/plan.ts";
import { WHOLE } from "../plan/shard.ts";
import type { SharedMemory } from "./shared_memory.ts";

/** What waits are reported to. */
type HeldSink = Pick<GeneratorSink, "held">;

/**
 * The target's `max_rps`: one request each 1 / rate seconds over all threads; what
 * is not used is saved up for a tenth of a second at most. The wait is no latency;
 * it is reported by itself.
 *
 * The next free moment lies in shared memory, in nanoseconds on a clock that all
 * threads share, and is moved on by compare-and-swap. That clock is the wall
 * clock as it was when the run began: it may be set meanwhile.
 */
export class RateLimiter implements Limiter {
  readonly #next: BigInt64Array;
  readonly #intervalNs: bigint;
  /** How far the wall clock was ahead of the monotonic one. */
  readonly #ahead: number;

  constructor(
    readonly perSecond: number,
    memory: SharedArrayBuffer,
    readonly clock: Clock,
    readonly sink: HeldSink,
  ) {
    this.#next = new BigInt64Array(memory);
    this.#ahead = clock.wall() - clock.now();
    this.#intervalNs = BigInt(Math.max(1, Math.floor(1e9 / perSecond)));
  }

  acquire(requester: Requester): Permit | Promise<Permit> {
    const waitMs = this.#reserve();
    if (waitMs <= 0) return IMMEDIATE;
    this.sink.held(waitMs);
    return requester.sleep(waitMs).then(() => IMMEDIATE);
  }

  /** Takes the next moment if it is now. */
  take(): boolean {
    const nowNs = this.#nowNs();
    const next = Atomics.load(this.#next, 0);
    if (next > nowNs) return false;
    const earliest = nowNs - SAVED_UP_NS;
    const after = (next > earliest ? next : earliest) + this.#intervalNs;
    return Atomics.compareExchange(this.#next, 0, next, after) === next;
  }

  #nowNs(): bigint {
    return nanoseconds(this.clock.now() + this.#ahead);
  }

  /** Takes the next moment; how long until then, in milliseconds. */
  #reserve(): number {
    const nowNs = this.#nowNs();
    const earliest = nowNs - SAVED_UP_NS;
    for (;;) {
      const next = Atomics.load(this.#next, 0);
      const mine = next > earliest ? next : earliest;
      const after = mine + this.#intervalNs;
      if (Atomics.compareExchange(this.#next, 0, next, after) === next) {
        return Number(mine - nowNs) / 1e6;
      }
    }
  }
}

/** A number does not hold as many nanoseconds since 1970. */
function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000)) * 1_000n;
}

const SAVED_UP_NS = 100_000_000n;

/** What a limiter needs of a plan. */
type Ceiling = Pick<RunPlan, "maxRps" | "shard">;

/**
 * The limiter that keeps a plan's `max_rps`; UNLIMITED without one. A shard has an
 * equal share of it.
 */
export function maxRpsLimiter(
  { maxRps, shard = WHOLE }: Ceiling,
  memory: SharedMemory,
  clock: Clock,
  sink: HeldSink,
): Limiter {
  if (maxRps === undefined) return UNLIMITED;
  return new RateLimiter(maxRps / shard.count, memory.rate, clock, sink);
}

/**
 * Shards take turns from the start on: else the first request of each would go out
 * at the same moment, as many as there are shards.
 *
 * @param wallMs when the run begins
 */
export function takeTurns(
  { maxRps, shard = WHOLE }: Ceiling,
  memory: SharedMemory,
  wallMs: number,
): void {
  if (maxRps === undefined) return;
  const turn = BigInt(Math.round(shard.index * 1e9 / maxRps));
  const first = nanoseconds(wallMs) - SAVED_UP_NS;
  Atomics.store(new BigInt64Array(memory.rate), 0, first + turn);
}
