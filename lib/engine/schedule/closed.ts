import { nextVusIn, vusAt } from "../../model/course.ts";
import { vuOf } from "../plan/shard.ts";
import {
  type IterationEnd,
  type IterationInput,
  IterationRun,
} from "../vu/iteration.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import type { VirtualUser } from "../vu/vu.ts";
import {
  controlSleep,
  finishGracefully,
  IdlePace,
  type LoadRun,
  turnOf,
} from "./load_run.ts";

/**
 * The closed workload model: each VU begins its next iteration when its last
 * one ended. The number of VUs follows the plan; a VU that it takes away ends
 * its iteration first.
 */
export async function runClosed(run: LoadRun): Promise<void> {
  const control = new ClosedControl(run);
  await control.drive();
  await finishGracefully(run, control.allEnded());
  control.rethrow();
}

class ClosedControl {
  readonly #vus = new Map<number, VirtualUser>();
  readonly #loops = new Map<number, VuLoop>();
  readonly #finished = new AbortController();
  readonly #woken: AbortSignal;
  readonly #idle = Promise.withResolvers<void>();
  #target = 0;
  /** A VU may be missing. */
  #changed = true;
  #over = false;
  #error: { readonly error: unknown } | undefined;

  constructor(readonly run: LoadRun) {
    this.#woken = AbortSignal.any([
      run.tools.stop.signal,
      this.#finished.signal,
    ]);
  }

  /** Resolves when no VU is in an iteration any more; none begins another. */
  allEnded(): Promise<void> {
    if (this.#loops.size === 0) this.#idle.resolve();
    return this.#idle.promise;
  }

  /**
   * Follows the number of VUs until the plan ends or a stop comes. Where its bound is
   * met before, each iteration under way takes the time it takes.
   */
  async drive(): Promise<void> {
    const { plan, tools, startedAt } = this.run;
    const { endMs: end = Infinity } = plan;
    for (;;) {
      const elapsed = tools.clock.now() - startedAt;
      if (this.#error || tools.stop.requested || elapsed >= end) break;
      if (elapsed < 0) {
        // Threads begin together, at a moment that is agreed before.
        await tools.clock.sleep(-elapsed, this.#woken);
        continue;
      }
      if (this.#over && this.#loops.size === 0) break;
      const target = vusAt(plan, elapsed);
      this.#changed ||= target !== this.#target;
      this.#target = target;
      if (this.#changed) this.#startMissing();
      await tools.clock.sleep(
        controlSleep(Math.min(nextVusIn(plan, elapsed), end - elapsed)),
        this.#woken,
      );
    }
    this.#over = true;
  }

  #startMissing(): void {
    const { run } = this;
    this.#changed = false;
    for (let nth = 0; !this.#over; nth++) {
      const id = vuOf(run.shard, nth);
      if (id >= this.#target) return;
      if (this.#loops.has(id)) continue;
      const vu = this.#vus.getOrInsertComputed(id, () => run.makeVu(id));
      const loop = new VuLoop(this, vu);
      this.#loops.set(id, loop);
      loop.next();
    }
  }

  /** An error of this program in any VU ends the run, after the others' iterations. */
  rethrow(): void {
    if (this.#error) throw this.#error.error;
  }

  /** Whether a VU may begin another iteration. */
  isActive(id: number): boolean {
    return !this.#over && !this.run.tools.stop.requested && id < this.#target;
  }

  /** The run has no iteration left. */
  ranOut(): void {
    this.#over = true;
  }

  failed(id: number, error: unknown): void {
    this.#error ??= { error };
    this.#over = true;
    this.ended(id);
  }

  /** The last VU of a run that is over ends the control's sleep. */
  ended(id: number): void {
    this.#loops.delete(id);
    this.#changed = true;
    if (!this.#over || this.#loops.size > 0) return;
    this.#finished.abort();
    this.#idle.resolve();
  }
}

/** Iterations of one VU, one after the other, until none may begin. */
class VuLoop implements IterationEnd {
  readonly #control: ClosedControl;
  readonly #vu: VirtualUser;
  readonly #pace: IdlePace;
  readonly #iterations: IterationRun;
  readonly #active: () => boolean;

  constructor(control: ClosedControl, vu: VirtualUser) {
    const { plan, tools, generator } = control.run;
    this.#control = control;
    this.#vu = vu;
    this.#pace = new IdlePace(vu, generator, plan.endMs !== undefined);
    this.#iterations = new IterationRun(vu, tools.stop);
    this.#active = () => control.isActive(vu.id);
  }

  next(): void {
    try {
      if (!this.#active()) return this.#control.ended(this.#vu.id);
      const input = this.#control.run.nextIteration(this.#active);
      if (!(input instanceof Promise)) return this.#begin(input);
      input.then((later) => this.#begin(later))
        .catch((error) => this.failed(error));
    } catch (error) {
      this.failed(error);
    }
  }

  #begin(input: IterationInput | undefined): void {
    if (input) return this.#iterations.begin(input, this);
    if (this.#active()) this.#control.ranOut();
    this.#control.ended(this.#vu.id);
  }

  ended(result: IterationResult): void {
    this.#vu.sink.iteration(result);
    this.#iterations.reuse(result);
    const pause = this.#pace.after(result.startedAt);
    if (pause) pause.then(() => this.next());
    else this.next();
  }

  failed(error: unknown): void {
    this.#control.failed(this.#vu.id, error);
  }
}

/**
 * Integration and system modes: the flow once per fixture row, or once when
 * there is no fixture. As many rows as there are VUs run at a time, in row
 * order.
 */
export async function runRows(run: LoadRun): Promise<void> {
  const { plan, tools: { stop, sink } } = run;
  const active = () => !stop.requested;
  const vus = Array.from({ length: plan.peakVus }, (_, id) => run.makeVu(id));
  await Promise.all(vus.map(async (vu) => {
    const iterations = new IterationRun(vu, stop);
    while (active()) {
      const next = run.nextIteration(active);
      const input = next instanceof Promise ? await next : next;
      if (!input) return;
      sink.iteration(await iterations.run(input));
      const turn = turnOf(vu);
      if (turn) await turn;
    }
  }));
}
