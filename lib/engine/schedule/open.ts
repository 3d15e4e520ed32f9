import { nextVusIn, plannedMs, vusAt } from "../plan/ramp.ts";
import { type Arrivals, arrivalsOf } from "./arrivals.ts";
import { vuOf, vusIn } from "../plan/shard.ts";
import { controlSleep, finishGracefully, type LoadRun } from "./load_run.ts";
import { turnOf } from "./idle_pace.ts";
import { runIteration } from "../vu/iteration.ts";
import type { SlotLimiter } from "../limiter/slot_limiter.ts";
import type { VirtualUser } from "../vu/vu.ts";

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
