import type { Clock } from "../../base/time/clock.ts";
import {
  IterationNumbers,
  MOST_NUMBERS,
  type NumberRange,
} from "../limiter/iteration_numbers.ts";
import { ownVus, runsDry } from "../plan/budget.ts";
import type { RunTask } from "../vu/job.ts";
import { SILENCE_MS } from "./link.ts";

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
/**
 * How much work a process has numbers for, in milliseconds, beside what is used
 * while it asks. Where the run has only so many numbers, what one holds is not there
 * for the others; else it has enough for as long as its lead may be silent.
 */
const FEW_IN_HAND_MS = 100;
const MANY_IN_HAND_MS = SILENCE_MS;
/** How many times as much it asks for. */
const AT_A_TIME = 2.5;
/** Iterations of a VU that it has numbers for before its pace is known. */
const FEW_AT_FIRST = 1;
const MANY_AT_FIRST = 10;

/** Whether a run comes to the end of its numbers, or of its rows. */
function isBounded({ plan, flows }: Pick<RunTask, "plan" | "flows">): boolean {
  return plan.iterations !== undefined ||
    flows.some(({ flow }) => flow.pools?.some(runsDry));
}

/**
 * Keeps the threads of one process in iteration numbers: asks for more before they
 * are used up, and for more at a time the faster they go and the longer it takes.
 */
export class LeaseKeeper {
  readonly #numbers: IterationNumbers;
  readonly #vus: number;
  readonly #isBounded: boolean;
  #perMs = 0;
  /** The longest that the lead took to grant some. */
  #tripMs = 0;

  /** @param ask gets numbers from the lead; undefined when there are none left */
  constructor(
    memory: SharedArrayBuffer,
    readonly ask: (count: number) => Promise<NumberRange | undefined>,
    readonly clock: Clock,
    task: Pick<RunTask, "plan" | "flows">,
  ) {
    this.#numbers = new IterationNumbers(memory);
    this.#numbers.grow(true);
    this.#vus = ownVus(task.plan);
    this.#isBounded = isBounded(task);
  }

  /** The first numbers. */
  async fill(): Promise<void> {
    const each = this.#isBounded ? FEW_AT_FIRST : MANY_AT_FIRST;
    await this.#more(this.#vus * each);
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
      if (left > this.#inHand() || !this.#numbers.hasRoom) continue;
      if (!await this.#more(this.#needed())) continue;
      [before, at] = [this.#numbers.left(), this.clock.now()];
    }
  }

  #inHand(): number {
    const ms = this.#isBounded ? FEW_IN_HAND_MS : MANY_IN_HAND_MS;
    return this.#perMs * (ms + this.#tripMs);
  }

  #needed(): number {
    const few = Math.ceil(this.#vus / 4);
    return Math.max(few, Math.ceil(this.#inHand() * AT_A_TIME));
  }

  async #more(count: number): Promise<boolean> {
    const askedAt = this.clock.now();
    const range = await this.ask(count);
    this.#tripMs = Math.max(this.#tripMs, this.clock.now() - askedAt);
    if (range) this.#numbers.add(range);
    else this.#numbers.grow(false);
    return range !== undefined;
  }
}
