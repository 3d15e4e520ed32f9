import { Stop } from "../../lib/run.ts";
import { GRACE_MS } from "../../lib/engine/plan/plan.ts";
import { type Clock, systemClock } from "../../lib/base/time/clock.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";

/**
 * A run that can be asked to stop. The first time it stops softly, so that
 * iterations under way may finish for a while; the second time at once. Results
 * are written either way.
 */
export class GracefulStop {
  #first: StopSignal | undefined;
  readonly #released = new AbortController();

  /** @param graceMs how long iterations under way may go on */
  constructor(
    readonly stop: Stop = new Stop(),
    readonly clock: Clock = systemClock,
    readonly graceMs: number = GRACE_MS,
  ) {}

  /** Why it was asked the first time; undefined when it was not. */
  get first(): StopSignal | undefined {
    return this.#first;
  }

  /** Returns whether this was the first time. */
  ask(signal: StopSignal): boolean {
    if (this.#first !== undefined) {
      this.stop.hard("interrupted", signal);
      return false;
    }
    this.#first = signal;
    this.stop.soft("interrupted", signal);
    void this.#runOut(signal);
    return true;
  }

  /** Stops at once. */
  now(signal: StopSignal): void {
    this.#first ??= signal;
    this.stop.hard("interrupted", signal);
  }

  /** Ends the waiting. */
  release(): void {
    this.#released.abort();
  }

  async #runOut(signal: StopSignal): Promise<void> {
    const { signal: released } = this.#released;
    await this.clock.sleep(this.graceMs, released);
    if (!released.aborted) this.stop.hard("interrupted", signal);
  }
}
