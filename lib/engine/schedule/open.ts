import { type Random, seededRandom } from "../../base/time/random.ts";
import type { SlotLimiter } from "../limiter/slot_limiter.ts";
import type { RunPlan } from "../plan/plan.ts";
import { nextVusIn, plannedMs, vusAt } from "../plan/ramp.ts";
import { type Shard, slotDueAt, slotsDue, vuOf, vusIn } from "../plan/shard.ts";
import { runIteration } from "../vu/iteration.ts";
import type { VirtualUser } from "../vu/vu.ts";
import {
  controlSleep,
  finishGracefully,
  type LoadRun,
  turnOf,
} from "./load_run.ts";

/** When the request slots of one shard are due, in milliseconds from the start. */
interface Arrivals {
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

/** So much after its moment a slot is due for certain, however it is computed. */
const ROUNDING_MS = 0.001;

/**
 * The open workload model: requests are due at a fixed rate, however the target
 * responds. Slot k of the run is due at k / rate; retries and poll rounds spend
 * slots like any request.
 *
 * @returns slots that were due and never served
 */
export async function runOpen(
  run: LoadRun,
  limiter: SlotLimiter,
): Promise<number> {
  const pace = new OpenPace(run, limiter);
  await pace.drive();
  const unserved = limiter.unserved;
  limiter.stopStarting();
  const pacing = pace.keepPacing();
  await finishGracefully(run, pace.loops);
  pace.end();
  limiter.release();
  await pacing;
  return unserved + pace.unbegun;
}

class OpenPace {
  readonly loops: Promise<void>[] = [];
  /** Slots whose iteration got its number when the plan had ended. */
  unbegun = 0;
  #planEnded = false;
  #vus = 0;
  readonly #arrivals: Arrivals;
  readonly #ended = new AbortController();
  readonly #bound = new AbortController();
  readonly #woken: AbortSignal;

  constructor(readonly run: LoadRun, readonly limiter: SlotLimiter) {
    this.#arrivals = arrivalsOf(run.plan, run.shard);
    this.#woken = AbortSignal.any([run.tools.stop.signal, this.#bound.signal]);
    // A run cut off in its grace period must not wait for slots.
    run.tools.stop.signal.addEventListener("abort", () => limiter.release(), {
      once: true,
      signal: this.#ended.signal,
    });
  }

  /** Hands out slots until the plan ends, the bound is met, or a stop comes. */
  async drive(): Promise<void> {
    const { plan, tools } = this.run;
    const end = plannedMs(plan);
    for (;;) {
      const elapsed = this.#elapsed();
      if (this.#bound.signal.aborted || tools.stop.requested) return;
      this.#staff(elapsed);
      this.#handOut(elapsed, end);
      if (elapsed >= end) {
        this.#planEnded = true;
        return;
      }
      const ramp = Math.min(nextVusIn(plan, elapsed), end - elapsed);
      await this.#sleep(ramp, this.#woken);
    }
  }

  /** Slots for the requests of iterations under way. */
  async keepPacing(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#handOut(this.#elapsed(), Infinity);
      await this.#sleep(Infinity, this.#ended.signal);
    }
  }

  end(): void {
    this.#ended.abort();
  }

  /** Until the next slot is due, or something else is in `ms`. */
  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { tools } = this.run;
    const due = this.#arrivals.next;
    const next = Math.min(due + ROUNDING_MS - this.#elapsed(), ms);
    return tools.clock.sleep(controlSleep(next), signal);
  }

  #elapsed(): number {
    return this.run.tools.clock.now() - this.run.startedAt;
  }

  #handOut(elapsed: number, end: number): void {
    const { startedAt, tools } = this.run;
    const now = tools.clock.now();
    while (this.#arrivals.isDue(elapsed, end)) {
      this.limiter.due(startedAt + this.#arrivals.take(), now);
    }
  }

  /** VUs are made as the ramp rises; as it falls, fewer may be busy at once. */
  #staff(elapsed: number): void {
    const { plan, shard } = this.run;
    const allowed = vusIn(shard, vusAt(plan, elapsed));
    this.limiter.allow(allowed);
    while (this.#vus < allowed) {
      const id = vuOf(shard, this.#vus++);
      this.loops.push(this.#loop(this.run.makeVu(id)));
    }
  }

  async #loop(vu: VirtualUser): Promise<void> {
    const { tools, steps } = this.run;
    const active = () => this.limiter.starts;
    while (await this.limiter.startIteration(vu)) {
      const next = this.run.nextIteration(active);
      const input = next instanceof Promise ? await next : next;
      if (!input) {
        if (this.#planEnded) this.unbegun++;
        else this.#bound.abort();
        this.limiter.stopStarting();
        return;
      }
      tools.sink.iteration(await runIteration(steps, vu, input, tools.stop));
      const turn = turnOf(vu);
      if (turn) await turn;
      this.limiter.iterationEnded();
    }
  }
}
