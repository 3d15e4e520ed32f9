import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { RunPlan } from "../plan/plan.ts";
import { ceilingShare, type SharedCeiling } from "../plan/budget.ts";
import { highestOf, reachedAt } from "../../model/course.ts";
import { WHOLE } from "../plan/shard.ts";
import {
  IMMEDIATE,
  type Limiter,
  type Permit,
  type Requester,
  type SharedMemory,
  SpentSlots,
  UNLIMITED,
} from "./limiter.ts";

/** Takes the waits of requests that are held back. */
type HeldSink = Pick<GeneratorSink, "held">;

/**
 * The target's `max_rps`: one request each 1 / rate seconds over all threads; what
 * is not used is saved up for a tenth of a second at most. The wait is no latency;
 * it is reported by itself.
 *
 * The next free moment is in shared memory, in nanoseconds on a clock that all
 * threads share, and is moved on by compare-and-swap. That clock is the wall
 * clock as it was when the run began: it may be set meanwhile.
 */
export class RateLimiter implements Limiter {
  readonly #next: BigInt64Array;
  readonly #intervalNs: () => bigint;
  /** How far the wall clock was ahead of the monotonic one. */
  readonly #ahead: number;

  /** @param perSecond as of now, where it changes */
  constructor(
    readonly perSecond: number | (() => number),
    memory: SharedArrayBuffer,
    readonly clock: Clock,
    readonly sink: HeldSink,
  ) {
    this.#next = new BigInt64Array(memory);
    this.#ahead = clock.wall() - clock.now();
    if (typeof perSecond === "function") {
      this.#intervalNs = () => intervalOf(perSecond());
    } else {
      const interval = intervalOf(perSecond);
      this.#intervalNs = () => interval;
    }
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
    const after = (next > earliest ? next : earliest) + this.#intervalNs();
    return Atomics.compareExchange(this.#next, 0, next, after) === next;
  }

  #nowNs(): bigint {
    return nanoseconds(this.clock.now() + this.#ahead);
  }

  /** Takes the next moment; how long until then, in milliseconds. */
  #reserve(): number {
    const nowNs = this.#nowNs();
    const earliest = nowNs - SAVED_UP_NS;
    const interval = this.#intervalNs();
    for (;;) {
      const next = Atomics.load(this.#next, 0);
      const mine = next > earliest ? next : earliest;
      const after = mine + interval;
      if (Atomics.compareExchange(this.#next, 0, next, after) === next) {
        return Number(mine - nowNs) / 1e6;
      }
    }
  }
}

function intervalOf(perSecond: number): bigint {
  return BigInt(Math.max(1, Math.floor(1e9 / perSecond)));
}

/** A number does not hold as many nanoseconds since 1970. */
function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000)) * 1_000n;
}

const SAVED_UP_NS = 100_000_000n;

/**
 * The limiter that keeps a plan's `max_rps`; UNLIMITED without one. A shard has its
 * share of it.
 *
 * @param startedAt when the run began, on `clock`; until it is known, the share is
 *   that of the end of the run
 */
export function maxRpsLimiter(
  plan: SharedCeiling,
  memory: SharedMemory,
  clock: Clock,
  sink: HeldSink,
  startedAt = -Infinity,
): Limiter {
  const { maxRps, vus, shard = WHOLE } = plan;
  if (maxRps === undefined) return UNLIMITED;
  const rate = () => maxRps * ceilingShare(plan, clock.now() - startedAt);
  const changes = vus && shard.count > 1;
  return new RateLimiter(changes ? rate : rate(), memory.rate, clock, sink);
}

/**
 * Shards take turns from the start on: else the first request of each would go out
 * at the same moment, as many as there are shards. One that has its first
 * VU later has saved up nothing by then: the others used it.
 *
 * @param wallMs when the run begins
 */
export function takeTurns(
  { maxRps, vus, executor, shard = WHOLE }: SharedCeiling,
  memory: SharedMemory,
  wallMs: number,
): void {
  if (maxRps === undefined) return;
  const later = executor === "closed" && vus
    ? reachedAt(vus, shard.index + 1)
    : 0;
  const turn = BigInt(Math.round(shard.index * 1e9 / maxRps));
  const first = later > 0 && later < Infinity
    ? nanoseconds(wallMs + later)
    : nanoseconds(wallMs) - SAVED_UP_NS + turn;
  Atomics.store(new BigInt64Array(memory.rate), 0, first);
}

/**
 * The limiter of token requests: they count under `max_rps` like every other
 * request. In the open executor a token request never waits, because slots might
 * then be late for good: where slots leave a part of `max_rps` it takes a moment of
 * that, and else it is sent in place of the next slot.
 */
export function tokenLimiter(
  plan: SharedCeiling & Pick<RunPlan, "rate">,
  memory: SharedMemory,
  clock: Clock,
  sink: Pick<GeneratorSink, "held">,
): Limiter {
  const { executor, maxRps = 0, rate } = plan;
  const ceiling = maxRpsLimiter(plan, memory, clock, sink);
  if (executor !== "open" || !(ceiling instanceof RateLimiter)) return ceiling;
  const spent = new SpentSlots(memory.spent);
  const isSpare = !rate || maxRps > highestOf(rate);
  return {
    acquire() {
      if (!isSpare || !ceiling.take()) spent.spend();
      return IMMEDIATE;
    },
  };
}
