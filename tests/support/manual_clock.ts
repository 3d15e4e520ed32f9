import type { Clock } from "../../lib/base/time/clock.ts";

/** Time that moves only when a test moves it. */
export class ManualClock implements Clock {
  time = 1000;
  sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = {
        at: this.time + ms,
        wake: () => this.#end(sleeper, resolve),
      };
      this.sleepers.push(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
    });
  }

  /** Moves on and lets everything that was due run. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (;;) {
      const next = this.sleepers.filter((each) => each.at <= until)
        .sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      next.wake();
      await settle();
    }
    this.time = until;
    await settle();
  }

  #end(sleeper: { at: number; wake: () => void }, resolve: () => void): void {
    this.sleepers = this.sleepers.filter((each) => each !== sleeper);
    resolve();
  }
}

/** Lets promise callbacks run; takes no time on the clock under test. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
