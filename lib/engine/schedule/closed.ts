import { nextVusIn, vusAt } from "../../model/course.ts";
import { vuOf } from "../plan/shard.ts";
import { type IterationInput, IterationRun } from "../vu/iteration.ts";
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
  await finishGracefully(run, control.loops());
  control.rethrow();
}

class ClosedControl {
  readonly #vus = new Map<number, VirtualUser>();
  readonly #loops = new Map<number, Promise<void>>();
  readonly #finished = new AbortController();
  readonly #woken: AbortSignal;
  #target = 0;
  #over = false;
  #error: { readonly error: unknown } | undefined;

  constructor(readonly run: LoadRun) {
    this.#woken = AbortSignal.any([
      run.tools.stop.signal,
      this.#finished.signal,
    ]);
  }

  loops(): Promise<void>[] {
    return [...this.#loops.values()];
  }

  /**
   * Follows the number of VUs until the plan ends or a stop comes. Where its bound is
   * met before, each iteration under way takes the time it takes.
   */
  async drive(): Promise<void> {
    const { plan, shard, tools, startedAt } = this.run;
    const { endMs: end = Infinity } = plan;
    for (;;) {
      const elapsed = tools.clock.now() - startedAt;
      if (this.#error || tools.stop.requested || elapsed >= end) break;
      if (this.#over && this.#loops.size === 0) break;
      this.#target = vusAt(plan, elapsed);
      for (let nth = 0; !this.#over && vuOf(shard, nth) < this.#target; nth++) {
        const id = vuOf(shard, nth);
        if (!this.#loops.has(id)) this.#start(id);
      }
      await tools.clock.sleep(
        controlSleep(Math.min(nextVusIn(plan, elapsed), end - elapsed)),
        this.#woken,
      );
    }
    this.#over = true;
  }

  #start(id: number): void {
    let vu = this.#vus.get(id);
    if (!vu) this.#vus.set(id, vu = this.run.makeVu(id));
    const loop = new VuLoop(
      this.run,
      vu,
      () => this.#isActive(id),
      () => this.#over = true,
    );
    this.#loops.set(
      id,
      loop.run().catch((error) => {
        this.#error ??= { error };
        this.#over = true;
      }).then(() => this.#ended(id)),
    );
  }

  /** An error of this program in any VU ends the run, after the others' iterations. */
  rethrow(): void {
    if (this.#error) throw this.#error.error;
  }

  /** The last VU of a run that is over ends the control's sleep. */
  #ended(id: number): void {
    this.#loops.delete(id);
    if (this.#over && this.#loops.size === 0) this.#finished.abort();
  }

  /** Whether a VU may begin another iteration. */
  #isActive(id: number): boolean {
    return !this.#over && !this.run.tools.stop.requested && id < this.#target;
  }
}

/** Iterations of one VU, one after the other. */
class VuLoop {
  readonly #run: LoadRun;
  readonly #vu: VirtualUser;
  readonly #active: () => boolean;
  readonly #over: () => void;
  readonly #pace: IdlePace;
  readonly #iterations: IterationRun;
  readonly #done = Promise.withResolvers<void>();

  /**
   * @param active whether another iteration may begin
   * @param over called when the run has no iteration left
   */
  constructor(
    run: LoadRun,
    vu: VirtualUser,
    active: () => boolean,
    over: () => void,
  ) {
    const { plan, tools, generator } = run;
    this.#run = run;
    this.#vu = vu;
    this.#active = active;
    this.#over = over;
    this.#pace = new IdlePace(vu, generator, plan.endMs !== undefined);
    this.#iterations = new IterationRun(vu, tools.stop);
  }

  /** Runs them until none may begin. Rejects with an error of this program. */
  run(): Promise<void> {
    this.#next();
    return this.#done.promise;
  }

  readonly #next = (): void => {
    try {
      if (!this.#active()) return this.#done.resolve();
      const input = this.#run.nextIteration(this.#active);
      if (input instanceof Promise) input.then(this.#begin).catch(this.#failed);
      else this.#begin(input);
    } catch (error) {
      this.#failed(error);
    }
  };

  readonly #begin = (input: IterationInput | undefined): void => {
    if (input) {
      return this.#iterations.begin(input, this.#ended, this.#failed);
    }
    if (this.#active()) this.#over();
    this.#done.resolve();
  };

  readonly #ended = (result: IterationResult): void => {
    this.#vu.sink.iteration(result);
    const pause = this.#pace.after(result.startedAt);
    if (pause) pause.then(this.#next).catch(this.#failed);
    else this.#next();
  };

  readonly #failed = (error: unknown): void => this.#done.reject(error);
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
