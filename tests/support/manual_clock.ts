import type { Clock } from "../../lib/base/time/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that moves only when a test moves it. */
export class ManualClock implements Clock {
  /** In the order in which they wake. */
  sleepers: Sleeper[] = [];

  constructor(public time = 1_000) {}

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.sleepers = this.sleepers.filter((each) => each !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { at: this.time + Math.max(0, ms), wake };
      this.sleepers = [...this.sleepers, sleeper]
        .sort((a, b) => a.at - b.at);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  /** Moves on and lets everything that was due run. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (let next; (next = this.sleepers[0]) && next.at <= until;) {
      this.#wake(next);
      await settle();
    }
    this.time = until;
    await settle();
  }

  /** Jumps from one sleeper to the next until `work` has settled. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    work.then(end, end);
    for (;;) {
      await settle();
      if (settled) return await work;
      const next = this.sleepers[0];
      if (!next) throw new Error("nothing sleeps, and the work is not done");
      this.#wake(next);
    }
  }

  #wake({ at, wake }: Sleeper): void {
    this.time = Math.max(this.time, at);
    wake();
  }
}

/** Long enough for every promise chain to come to rest; takes no time on the clock under test. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}
