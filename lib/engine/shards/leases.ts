import type { Clock } from "../../base/time/clock.ts";
import {
  IterationNumbers,
  MOST_NUMBERS,
  type NumberRange,
} from "../limiter/iteration_numbers.ts";

/**
 * The iteration numbers of a run, at the lead: each is given to one shard. Near
 * the bound the ranges become small, so that shards end at nearly the same time
 * however fast each of them is.
 */
export class Leases {
  #next = 0;
  readonly #end: number;
  readonly #bounded: boolean;

  constructor(iterations: number | undefined, readonly shards: number) {
    this.#end = iterations ?? MOST_NUMBERS;
    this.#bounded = iterations !== undefined;
  }

  /** @param count how many a shard asks for; undefined when there are none left */
  grant(count: number): NumberRange | undefined {
    const left = this.#end - this.#next;
    if (left === 0) return undefined;
    const share = this.#bounded ? Math.ceil(left / (2 * this.shards)) : left;
    const from = this.#next;
    this.#next += Math.max(1, Math.min(count, share, left));
    return { from, to: this.#next };
  }
}

/** How often a process looks whether it needs more numbers, in milliseconds. */
const LOOK_MS = 5;
/** How much of its work a process keeps in hand, and asks for, in milliseconds. */
const IN_HAND_MS = 100;
const ASK_FOR_MS = 250;

/**
 * Keeps the threads of one process in iteration numbers: asks for more before they
 * are used up, and for more at a time the faster they go.
 */
export class LeaseKeeper {
  readonly #numbers: IterationNumbers;
  #perMs = 0;

  /**
   * @param ask gets numbers from the lead; undefined when there are none left
   * @param vus of this process: how many it can use at once
   */
  constructor(
    memory: SharedArrayBuffer,
    readonly ask: (count: number) => Promise<NumberRange | undefined>,
    readonly clock: Clock,
    readonly vus: number,
  ) {
    this.#numbers = new IterationNumbers(memory);
    this.#numbers.grow(true);
  }

  /** The first numbers: one for each VU. */
  async fill(): Promise<void> {
    await this.#more(this.vus);
  }

  /** Goes on until there are no more numbers, or `signal` aborts. */
  async keep(signal: AbortSignal): Promise<void> {
    let before = this.#numbers.left();
    let at = this.clock.now();
    while (this.#numbers.growing && !signal.aborted) {
      await this.clock.sleep(LOOK_MS, signal);
      const left = this.#numbers.left();
      const now = this.clock.now();
      // A moving average of a tenth of a second or so.
      const used = Math.max(0, before - left) / Math.max(1, now - at);
      this.#perMs += (used - this.#perMs) * 0.1;
      [before, at] = [left, now];
      if (left > this.#perMs * IN_HAND_MS || !this.#numbers.hasRoom) continue;
      if (await this.#more(this.#needed())) before = this.#numbers.left();
    }
  }

  #needed(): number {
    const few = Math.ceil(this.vus / 4);
    return Math.max(few, Math.ceil(this.#perMs * ASK_FOR_MS));
  }

  async #more(count: number): Promise<boolean> {
    const range = await this.ask(count);
    if (range) this.#numbers.add(range);
    else this.#numbers.grow(false);
    return range !== undefined;
  }
}
