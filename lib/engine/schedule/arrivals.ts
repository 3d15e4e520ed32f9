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
  { arrivals, arrivalPerSecond, seed }: RunPlan,
  shard: Shard,
): Arrivals {
  return arrivals === "poisson"
    ? new PoissonArrivals(shard, arrivalPerSecond!, seededRandom(seed))
    : new ConstantArrivals(shard, arrivalPerSecond!);
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
