import { type Random, seededRandom } from "../../base/time/random.ts";
import type { RunPlan } from "../plan/plan.ts";
import { type Shard, slotDueAt, slotsDue } from "../plan/shard.ts";

/** When the request slots of one shard are due, in milliseconds from the start. */
export interface Arrivals {
  /** When the next slot is due. */
  readonly next: number;
  /** Whether that moment is reached; a slot due at `endMs` or later is none. */
  isDue(elapsedMs: number, endMs: number): boolean;
  /** Takes the next slot, and returns when it is due. */
  take(): number;
}

/** Those of a plan in the open executor. */
export function arrivalsOf(
  { arrivals, arrivalPerSecond, seed, side }: RunPlan,
  shard: Shard,
): Arrivals {
  if (arrivals === "poisson") {
    return new PoissonArrivals(shard, arrivalPerSecond!, seededRandom(seed));
  }
  const constant = new ConstantArrivals(shard, arrivalPerSecond!);
  return side === undefined
    ? constant
    : new SideArrivals(constant, arrivalPerSecond!, side);
}

/** One slot each 1 / rate seconds. */
class ConstantArrivals implements Arrivals {
  #taken = 0;
  constructor(readonly shard: Shard, readonly perSecond: number) {}

  get next(): number {
    return slotDueAt(this.shard, this.perSecond, this.#taken);
  }

  isDue(elapsedMs: number, endMs: number): boolean {
    const { shard, perSecond } = this;
    return this.#taken < slotsDue(shard, perSecond, elapsedMs, endMs);
  }

  take(): number {
    return slotDueAt(this.shard, this.perSecond, this.#taken++);
  }
}

/**
 * Constant arrivals of one of two sides. They are never due at the same moment:
 * whichever came second would wait for the other. One of them leads in the first
 * second of four and in the last, the other in between, so that what the order does
 * to them is the same.
 */
class SideArrivals implements Arrivals {
  readonly #behindMs: number;

  constructor(
    readonly arrivals: Arrivals,
    perSecond: number,
    readonly side: 0 | 1,
  ) {
    this.#behindMs = Math.min(500, 500 / perSecond);
  }

  get next(): number {
    const due = this.arrivals.next;
    return due + this.#behind(due);
  }

  isDue(elapsedMs: number, endMs: number): boolean {
    const behind = this.#behind(this.arrivals.next);
    return this.arrivals.isDue(elapsedMs - behind, endMs - behind);
  }

  take(): number {
    const due = this.arrivals.take();
    return due + this.#behind(due);
  }

  #behind(dueMs: number): number {
    const second = Math.floor(dueMs / 1_000) % 4;
    const leader = second === 0 || second === 3 ? 0 : 1;
    return leader === this.side ? 0 : this.#behindMs;
  }
}

/**
 * A Poisson process: gaps are exponential, as between requests of people who do
 * not know of each other. Every shard draws the gaps of all of them, and has every
 * `count`-th slot, so that together they offer the same for the same seed.
 */
class PoissonArrivals implements Arrivals {
  next = 0;

  constructor(
    readonly shard: Shard,
    readonly perSecond: number,
    readonly random: Random,
  ) {
    this.#move(shard.index + 1);
  }

  isDue(elapsedMs: number, endMs: number): boolean {
    return this.next <= elapsedMs && this.next < endMs;
  }

  take(): number {
    const due = this.next;
    this.#move(this.shard.count);
    return due;
  }

  #move(slots: number): void {
    for (let i = 0; i < slots; i++) {
      this.next -= Math.log(1 - this.random()) * 1_000 / this.perSecond;
    }
  }
}
