import { plannedMs, vusAt } from "../plan/ramp.ts";
import { slotDueAt, slotsDue, vuOf, vusIn } from "../plan/shard.ts";
import { finishGracefully } from "./graceful_stop.ts";
import { turnOf } from "./idle_pace.ts";
import { runIteration } from "../vu/iteration.ts";
import type { LoadRun } from "./load_run.ts";
import type { SlotLimiter } from "../limiter/slot_limiter.ts";
import type { VirtualUser } from "../vu/vu.ts";

/** How often slots are handed out. A timer of 1 ms fires after about 2 ms. */
const PACE_MS = 1;

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
  return unserved;
}

class OpenPace {
  readonly loops: Promise<void>[] = [];
  #vus = 0;
  #handedOut = 0;
  #exhausted = false;
  readonly #ended = new AbortController();

  constructor(readonly run: LoadRun, readonly limiter: SlotLimiter) {
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
      if (this.#exhausted || tools.stop.requested) return;
      this.#staff(elapsed);
      this.#handOut(elapsed, end);
      if (elapsed >= end) return;
      await tools.clock.sleep(PACE_MS, tools.stop.signal);
    }
  }

  /** Slots for the requests of iterations under way. */
  async keepPacing(): Promise<void> {
    const { clock } = this.run.tools;
    while (!this.#ended.signal.aborted) {
      this.#handOut(this.#elapsed(), Infinity);
      await clock.sleep(PACE_MS, this.#ended.signal);
    }
  }

  end(): void {
    this.#ended.abort();
  }

  #elapsed(): number {
    return this.run.tools.clock.now() - this.run.startedAt;
  }

  #handOut(elapsed: number, end: number): void {
    const { plan, shard, startedAt, tools } = this.run;
    const rate = plan.arrivalPerSecond!;
    const due = slotsDue(shard, rate, elapsed, end);
    const now = tools.clock.now();
    while (this.#handedOut < due) {
      const at = startedAt + slotDueAt(shard, rate, this.#handedOut++);
      this.limiter.due(at, now);
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
    const wanted = () => this.limiter.starts;
    while (await this.limiter.startIteration(vu)) {
      const next = this.run.nextIteration(wanted);
      const input = next instanceof Promise ? await next : next;
      if (!input) {
        this.#exhausted = true;
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
