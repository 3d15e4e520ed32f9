import { bitsOf, type Random, seededRandom } from "../../base/time/random.ts";
import type { SlotLimiter, Wake } from "../limiter/slot_limiter.ts";
import type { RunPlan } from "../plan/plan.ts";
import {
  constant,
  type Course,
  DueTimes,
  nextVusIn,
  vusAt,
} from "../../model/course.ts";
import { type Shard, vuOf, vusIn } from "../plan/shard.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import {
  type IterationEnd,
  type IterationInput,
  IterationRun,
} from "../vu/iteration.ts";
import type { VirtualUser } from "../vu/vu.ts";
import {
  controlSleep,
  finishGracefully,
  type LoadRun,
  turnOf,
} from "./load_run.ts";

/**
 * When the request slots of one shard are due, in milliseconds from the start.
 * Every shard works out its own, so that together they offer the same, however
 * many they are.
 */
export class Arrivals {
  /** When the next slot is due, or one that is another's. */
  next = 0;
  /** The number of that slot, over all shards, and whether it is this one's. */
  #slot = -1;
  #isOwn = true;
  readonly #times: DueTimes;
  readonly #unitsOf: (slots: number) => number;
  readonly #behindMs: (dueMs: number) => number;

  constructor(readonly plan: RunPlan, readonly shard: Shard) {
    const { arrivals, rate, seed, side } = plan;
    const course = rate ?? constant(0);
    this.#times = new DueTimes(course);
    this.#unitsOf = arrivals === "poisson"
      ? poisson(seededRandom(bitsOf(seed)))
      : evenly();
    this.#behindMs = side === undefined ? () => 0 : inTurns(course, side);
    if (goByVus(plan, shard)) this.#moveByVus();
    else this.#move(shard.index + 1);
  }

  /** Whether the next slot is due; one that would be at `endMs` or later is none. */
  isDue(elapsedMs: number, endMs: number): boolean {
    return this.next <= elapsedMs && this.next < endMs - SHORTEST_GAP_MS;
  }

  /** Takes the next slot, and returns when it is due; undefined of another's. */
  take(): number | undefined {
    const due = this.#isOwn ? this.next : undefined;
    if (goByVus(this.plan, this.shard)) this.#moveByVus();
    else this.#move(this.shard.count);
    return due;
  }

  /** To the next slot of a VU of this shard, or some way towards it. */
  #moveByVus(): void {
    const { index, count } = this.shard;
    for (let left = MOST_AHEAD; left > 0; left--) {
      this.#move(1);
      const vu = ++this.#slot % withSlots(this.plan, this.next);
      this.#isOwn = vu % count === index;
      if (this.#isOwn) return;
    }
  }

  #move(slots: number): void {
    const due = this.#times.at(this.#unitsOf(slots));
    this.next = due + this.#behindMs(due);
  }
}

/** Slots of other shards that are passed over at a time. */
const MOST_AHEAD = 1_000;

/**
 * Whether slots go round the VUs of the moment. While their number changes some
 * shards have more of them than others, or none. Else slots go round the shards.
 */
function goByVus({ vus }: RunPlan, { count }: Shard): boolean {
  return vus !== undefined && count > 1;
}

/** How many VUs have slots: the first one always. */
function withSlots(plan: RunPlan, elapsedMs: number): number {
  return Math.max(1, vusAt(plan, elapsedMs));
}

/** Rounding must not make one slot more of a whole number. */
const SHORTEST_GAP_MS = 1e-6;

/** Slot k is due with unit k of the rate. */
function evenly(): (slots: number) => number {
  let unit = -1;
  return (slots) => unit += slots;
}

/** A draw is 2^-32 at the least: a product of so many is still exact. */
const DRAWS_TO_A_LOGARITHM = 30;

/**
 * A Poisson process: gaps are exponential, as between requests of people who do
 * not know of each other. Every shard draws the gaps of all of them, and has every
 * `count`-th slot. That is as many draws a slot as there are shards, so they are
 * multiplied: the logarithm of a product is the sum of the logarithms.
 */
function poisson(random: Random): (slots: number) => number {
  let unit = 0;
  return (slots) => {
    for (let left = slots; left > 0; left -= DRAWS_TO_A_LOGARITHM) {
      let product = 1;
      for (let i = Math.min(left, DRAWS_TO_A_LOGARITHM); i > 0; i--) {
        product *= 1 - random();
      }
      unit -= Math.log(product);
    }
    return unit;
  };
}

/**
 * How far the slots of one of two sides are behind. They are never due at the same
 * moment: whichever came second would wait for the other. One of them leads in the
 * first second of four and in the last, the other in between, so that what the order
 * does to them is the same.
 */
function inTurns({ from }: Course, side: 0 | 1): (dueMs: number) => number {
  const behindMs = Math.min(500, 500 / from);
  return (dueMs) => {
    const second = Math.floor(dueMs / 1_000) % 4;
    const leader = second === 0 || second === 3 ? 0 : 1;
    return leader === side ? 0 : behindMs;
  };
}

/** A slot is due for certain this long after its moment, however that is computed. */
const ROUNDING_MS = 0.001;

/**
 * The open workload model: requests are due at the rate of the plan, however the
 * target responds. Retries and poll rounds spend slots like any request.
 *
 * @returns slots that were due and never served, without those of a warm-up
 */
export async function runOpen(
  run: LoadRun,
  limiter: SlotLimiter,
): Promise<number> {
  const pace = new OpenPace(run, limiter);
  await pace.drive();
  limiter.stopStarting();
  const pacing = pace.keepPacing();
  await finishGracefully(run, pace.allEnded());
  pace.end();
  limiter.release();
  await pacing;
  pace.rethrow();
  // Only now: requests of iterations under way took some of them.
  const { startedAt, plan: { warmUpMs = 0 } } = run;
  return limiter.leave(startedAt + warmUpMs) + pace.unbegun;
}

class OpenPace {
  /** Slots whose iteration got its number when the plan had ended. */
  unbegun = 0;
  #planEnded = false;
  #vus = 0;
  /** How many of them have ended. */
  #idle = 0;
  readonly #arrivals: Arrivals;
  readonly #ended = new AbortController();
  readonly #bound = new AbortController();
  readonly #allEnded = Promise.withResolvers<void>();
  #error: { readonly error: unknown } | undefined;
  readonly #woken: AbortSignal;

  constructor(readonly run: LoadRun, readonly limiter: SlotLimiter) {
    this.#arrivals = new Arrivals(run.plan, run.shard);
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
    const { endMs: end = Infinity } = plan;
    for (;;) {
      const elapsed = this.#elapsed();
      if (this.#bound.signal.aborted || tools.stop.requested) return;
      if (this.run.isOver()) this.limiter.stopStarting();
      this.#staff(elapsed);
      this.#handOut(elapsed, end);
      if (elapsed >= end) {
        this.#planEnded = true;
        return;
      }
      const change = Math.min(nextVusIn(plan, elapsed), end - elapsed);
      await this.#sleep(change, this.#woken);
    }
  }

  /** Slots for the requests of iterations under way. */
  async keepPacing(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#allow(this.#elapsed());
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
      const due = this.#arrivals.take();
      if (due !== undefined) this.limiter.due(startedAt + due, now);
    }
  }

  /** VUs are made as their number rises; as it falls, fewer may be busy at once. */
  #staff(elapsed: number): void {
    const { shard } = this.run;
    const allowed = this.#allow(elapsed);
    while (this.#vus < allowed) {
      const vu = this.run.makeVu(vuOf(shard, this.#vus++));
      new VuLoop(this, vu).next();
    }
  }

  /** @returns how many VUs may be busy at once */
  #allow(elapsed: number): number {
    const { plan, shard } = this.run;
    const allowed = vusIn(shard, vusAt(plan, elapsed));
    this.limiter.allow(allowed);
    if (goByVus(plan, shard)) {
      const come = shard.index < withSlots(plan, elapsed);
      this.limiter.expectSlots(come);
    }
    return allowed;
  }

  /** Resolves when no VU is in an iteration any more; none begins another. */
  allEnded(): Promise<void> {
    this.#lookForEnd();
    return this.#allEnded.promise;
  }

  ended(): void {
    this.#idle++;
    this.#lookForEnd();
  }

  /** The last VU of a run that begins no more iterations ends the control's sleep. */
  #lookForEnd(): void {
    if (this.#idle < this.#vus || this.limiter.starts) return;
    this.#bound.abort();
    this.#allEnded.resolve();
  }

  /** The run has no iteration left for the slot of this VU. */
  ranOut(vu: VirtualUser): void {
    if (this.#planEnded) {
      this.unbegun++;
      this.limiter.sink.offered(vu.now());
    } else {
      this.limiter.handBack(vu);
      this.#bound.abort();
    }
    this.limiter.stopStarting();
  }

  /** An error of this program in any VU ends the run, after the others' iterations. */
  failed(error: unknown): void {
    this.#error ??= { error };
    this.#bound.abort();
    this.limiter.stopStarting();
    this.ended();
  }

  rethrow(): void {
    if (this.#error) throw this.#error.error;
  }
}

/** Iterations of one VU, each with a slot, until none may begin. */
class VuLoop implements IterationEnd {
  readonly #pace: OpenPace;
  readonly #vu: VirtualUser;
  readonly #iterations: IterationRun;
  /** It is in `next`, and another iteration ended in the meantime. */
  #looking = false;
  #again = false;

  constructor(pace: OpenPace, vu: VirtualUser) {
    this.#pace = pace;
    this.#vu = vu;
    this.#iterations = new IterationRun(vu, pace.run.tools.stop);
  }

  /** Waits for a slot. In a loop, as far as iterations end at once. */
  next(): void {
    this.#again = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#again) {
      this.#again = false;
      this.#pace.limiter.startIteration(this.#wake);
    }
    this.#looking = false;
  }

  readonly #wake: Wake = (permit) => {
    if (!permit) return this.#pace.ended();
    this.#vu.slot = permit;
    try {
      const input = this.#pace.run.nextIteration(this.#active);
      if (!(input instanceof Promise)) return this.#begin(input);
      input.then((later) => this.#begin(later))
        .catch((error) => this.failed(error));
    } catch (error) {
      this.failed(error);
    }
  };

  readonly #active = (): boolean => this.#pace.limiter.starts;

  #begin(input: IterationInput | undefined): void {
    if (input) return this.#iterations.begin(input, this);
    this.#pace.ranOut(this.#vu);
    this.#pace.ended();
  }

  ended(result: IterationResult): void {
    this.#vu.sink.iteration(result);
    this.#iterations.reuse(result);
    const turn = turnOf(this.#vu);
    if (turn) turn.then(() => this.#over());
    else this.#over();
  }

  #over(): void {
    this.#pace.limiter.iterationEnded();
    this.next();
  }

  failed(error: unknown): void {
    this.#pace.failed(error);
  }
}
