import type { Clock } from "../../base/time/clock.ts";
import {
  type Gate,
  OPEN_DOOR,
  type Ticket,
  UNHINDERED,
  type Visitor,
} from "../vu/gate.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { SharedMemory } from "./shared.ts";

/** Where a wait goes. */
type HeldSink = Pick<GeneratorSink, "held">;

/**
 * The target's `max_rps` in the rows and the closed executor: one request each
 * 1 / rate seconds over all threads, tokens not used are not saved up beyond a tenth of
 * a second. The wait is no latency; it is reported by itself.
 *
 * The next free moment lies in shared memory, in microseconds on a clock that all
 * threads share, and is moved on by compare-and-swap. That clock is the one on
 * the wall as it was when the run began: it may be set meanwhile.
 */
export class RateGate implements Gate {
  readonly #next: BigInt64Array;
  readonly #intervalUs: bigint;
  /** What the clock on the wall was ahead of the monotonic one. */
  readonly #ahead: number;

  constructor(
    readonly perSecond: number,
    memory: SharedArrayBuffer,
    readonly clock: Clock,
    readonly sink: HeldSink,
  ) {
    this.#next = new BigInt64Array(memory);
    this.#ahead = clock.wall() - clock.now();
    this.#intervalUs = BigInt(Math.max(1, Math.round(1_000_000 / perSecond)));
  }

  enter(visitor: Visitor): Ticket | Promise<Ticket> {
    const waitMs = this.#reserve();
    if (waitMs <= 0) return UNHINDERED;
    this.sink.held(waitMs);
    return visitor.sleep(waitMs).then(() => UNHINDERED);
  }

  /** Takes the next moment if it is now. */
  take(): boolean {
    const nowUs = this.#nowUs();
    const next = Atomics.load(this.#next, 0);
    if (next > nowUs) return false;
    const earliest = nowUs - SAVED_UP_US;
    const after = (next > earliest ? next : earliest) + this.#intervalUs;
    return Atomics.compareExchange(this.#next, 0, next, after) === next;
  }

  #nowUs(): bigint {
    return BigInt(Math.round((this.clock.now() + this.#ahead) * 1_000));
  }

  /** Takes the next moment; how long until then, in milliseconds. */
  #reserve(): number {
    const nowUs = this.#nowUs();
    const earliest = nowUs - SAVED_UP_US;
    for (;;) {
      const next = Atomics.load(this.#next, 0);
      const mine = next > earliest ? next : earliest;
      const after = mine + this.#intervalUs;
      if (Atomics.compareExchange(this.#next, 0, next, after) === next) {
        return Number(mine - nowUs) / 1_000;
      }
    }
  }
}

const SAVED_UP_US = 100_000n;

/** The gate that keeps a plan's `max_rps`; an open door without one. */
export function ceilingGate(
  maxRps: number | undefined,
  memory: SharedMemory,
  clock: Clock,
  sink: HeldSink,
): Gate {
  if (maxRps === undefined) return OPEN_DOOR;
  return new RateGate(maxRps, memory.rate, clock, sink);
}
