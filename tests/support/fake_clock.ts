import type { Clock } from "../../lib/base/time/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that jumps from one sleeper to the next while something is driven. */
export class FakeClock implements Clock {
  #now = 1_000;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { at: this.#now + Math.max(0, ms), wake };
      // Behind those of the same moment, so that equals wake in order.
      const next = this.#sleepers.findIndex((each) => each.at > sleeper.at);
      this.#sleepers.splice(
        next < 0 ? this.#sleepers.length : next,
        0,
        sleeper,
      );
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  /** Lets time pass until `work` has settled. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    work.then(end, end);
    for (;;) {
      await quiet();
      if (settled) return await work;
      const next = this.#sleepers[0];
      if (!next) throw new Error("nothing sleeps, and the work is not done");
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}

/** Long enough for every promise chain of the engine to come to rest. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}
