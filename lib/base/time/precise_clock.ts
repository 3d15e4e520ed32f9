import { arrivalOn, type Clock } from "./clock.ts";
import type { TimerMemory } from "./timer_thread.ts";

/**
 * One thread's clock whose sleeps end within a fraction of a millisecond: a timer
 * thread wakes the event loop. Before it has started, and when it is gone, they end
 * as those of `base` do.
 */
export class PreciseClock implements Clock {
  readonly #sleepers = new Sleepers();
  /** When the alarm is set to; Infinity without one. */
  #alarm = Infinity;

  /** @param client which alarm of the timer thread is this clock's */
  constructor(
    readonly base: Clock,
    readonly memory: TimerMemory,
    readonly client: number,
  ) {
    this.#watch();
  }

  now(): number {
    return this.base.now();
  }

  arrival(): number {
    return arrivalOn(this.base);
  }

  /**
   * The wall clock as it was when this thread began, and the time since: not cut
   * to milliseconds, so that the threads of a run agree on when it begins.
   */
  wall(): number {
    return performance.timeOrigin + performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted || !this.memory.running) {
      return this.base.sleep(ms, signal);
    }
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at: this.now() + ms,
        signal,
        awake: false,
        wake() {
          sleeper.awake = true;
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      signal?.addEventListener("abort", sleeper.wake, { once: true });
      this.#sleepers.add(sleeper);
      this.#setAlarm();
    });
  }

  async #watch(): Promise<void> {
    const { memory, client } = this;
    memory.waitForever(client);
    while (!memory.closed) {
      const rung = memory.rung(client);
      this.#alarm = Infinity;
      this.#wakeDue();
      // Who was woken may sleep again at once: one alarm for all of them.
      await null;
      this.#setAlarm();
      await memory.nextRing(client, rung);
    }
    this.#leaveToBase();
  }

  #wakeDue(): void {
    const now = this.now();
    for (
      let { first } = this.#sleepers;
      first && (first.awake || first.at <= now);
      first = this.#sleepers.first
    ) {
      this.#sleepers.take();
      if (!first.awake) first.wake();
    }
  }

  #setAlarm(): void {
    const { first } = this.#sleepers;
    if (!first || first.at >= this.#alarm) return;
    this.#alarm = first.at;
    this.memory.set(this.client, first.at, this.now());
  }

  #leaveToBase(): void {
    const now = this.now();
    for (
      let sleeper = this.#sleepers.take();
      sleeper;
      sleeper = this.#sleepers.take()
    ) {
      const { at, signal, awake, wake } = sleeper;
      if (!awake) this.base.sleep(at - now, signal).then(wake);
    }
  }
}

/** Something that sleeps until `at`. */
interface Sleeper {
  readonly at: number;
  /** Ends the sleep early. */
  readonly signal: AbortSignal | undefined;
  readonly wake: () => void;
  /** It woke early. It keeps its place, which costs less than to look for it. */
  awake: boolean;
}

/** Sleepers by when they wake: a binary heap. */
class Sleepers {
  readonly #heap: Sleeper[] = [];

  get first(): Sleeper | undefined {
    return this.#heap[0];
  }

  add(sleeper: Sleeper): void {
    const heap = this.#heap;
    let hole = heap.push(sleeper) - 1;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (heap[parent]!.at <= sleeper.at) break;
      heap[hole] = heap[parent]!;
      hole = parent;
    }
    heap[hole] = sleeper;
  }

  take(): Sleeper | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0) this.#sink(last!);
    return first;
  }

  /** Puts `sleeper` where the first was, and lets it sink to its place. */
  #sink(sleeper: Sleeper): void {
    const heap = this.#heap;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) {
        child++;
      }
      if (heap[child]!.at >= sleeper.at) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = sleeper;
  }
}
