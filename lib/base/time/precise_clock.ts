import { openLibc } from "../process/libc.ts";
import { arrivalOn, type Clock } from "./clock.ts";

/** A sleep of the system, on a thread of the runtime's pool. */
interface SystemSleep {
  /** Resolves after so many microseconds, or earlier. */
  sleep(us: number): Promise<unknown>;
  close(): void;
}

/** Undefined where there is none. */
function openSystemSleep(): SystemSleep | undefined {
  const libc = openLibc({
    usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
  });
  return libc && {
    sleep: (us) => libc.symbols.usleep(us),
    close: () => libc.close(),
  };
}

/**
 * How much later than asked the event loop comes round, until that is known; how much the
 * estimate moves with each call that took longer or less long, so that one in ten ends
 * earlier; and how far it goes.
 */
const LATE_MS = { first: 0.06, more: 0.0002, less: 0.0018, most: 0.3 };
/** A call cannot be ended: so long one that nothing waits for goes on. */
const LONGEST_MS = 25;
/** The pool has 32 threads, which read files as well. */
const MOST_CALLS = 8;

/** A call of the system that is under way. */
interface Call {
  readonly at: number;
  /** When the system was asked to end it; undefined: at once, without a timer. */
  readonly asked: number | undefined;
  readonly ended: Promise<void>;
}

/**
 * A clock whose sleeps end within a fraction of a millisecond: the system sleeps on
 * another thread and wakes the event loop. Where it cannot, and once this is closed, they
 * end as those of `base`.
 */
export class PreciseClock implements Clock {
  readonly #sleepers = new Sleepers();
  /**
   * Not a `Map`: one that is emptied 5,000 times a second leaves as many tables, of
   * which V8 keeps each until it collects the whole heap.
   * docs/decisions/111-maps-that-empty.md
   */
  readonly #calls: Call[] = [];
  /** They have a listener. */
  readonly #watched = new WeakSet<AbortSignal>();
  #isArming = false;
  readonly #armed = () => this.#call();
  #isLooking = false;
  #late = LATE_MS.first;
  #system: SystemSleep | undefined;

  constructor(readonly base: Clock, system = openSystemSleep()) {
    this.#system = system;
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
    if (ms <= 0 || signal?.aborted || !this.#system) {
      return this.base.sleep(ms, signal);
    }
    return new Promise((wake) => {
      const sleeper = { at: this.now() + ms, signal, wake, awake: false };
      if (signal) this.#watch(signal);
      this.#sleepers.add(sleeper);
      if (this.#sleepers.first === sleeper) this.#arm();
    });
  }

  /** Leaves what still sleeps to `base`. Resolves when no call is under way. */
  async close(): Promise<void> {
    const system = this.#system;
    this.#system = undefined;
    this.#leaveToBase();
    await Promise.all(this.#calls.map(({ ended }) => ended));
    system?.close();
  }

  /** One listener a signal: one a sleep would leave tables, as a `Map` of the calls. */
  #watch(signal: AbortSignal): void {
    if (this.#watched.has(signal)) return;
    this.#watched.add(signal);
    signal.addEventListener("abort", () => this.#wakeAborted(), { once: true });
  }

  /** Signals are aborted many at once, one a VU: it looks at all sleepers once. */
  async #wakeAborted(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await null;
    this.#isLooking = false;
    for (const sleeper of this.#sleepers.all) {
      if (!sleeper.signal?.aborted || sleeper.awake) continue;
      sleeper.awake = true;
      sleeper.wake();
    }
  }

  #arm(): void {
    if (this.#isArming) return;
    this.#isArming = true;
    // Others may go to sleep at once: one call for all of them.
    queueMicrotask(this.#armed);
  }

  /** Calls the system, unless it wakes this thread in time. */
  #call(): void {
    this.#isArming = false;
    const { first } = this.#sleepers;
    const system = this.#system;
    if (!first || !system || this.#calls.length === MOST_CALLS) return;
    const now = this.now();
    const at = Math.min(first.at, now + LONGEST_MS);
    for (let nth = 0; nth < this.#calls.length; nth++) {
      if (this.#calls[nth]!.at <= at) return;
    }
    const us = Math.max(0, Math.floor((at - now - this.#late) * 1_000));
    const call: Call = {
      at,
      asked: us > 0 ? now + us / 1_000 : undefined,
      ended: system.sleep(us).then(() => this.#wake(call)),
    };
    this.#calls.push(call);
  }

  /** @param call the one that ended */
  #wake(call: Call): void {
    const last = this.#calls.pop()!;
    if (last !== call) this.#calls[this.#calls.indexOf(call)] = last;
    const now = this.now();
    if (call.asked !== undefined) this.#learn(now - call.asked);
    for (
      let { first } = this.#sleepers;
      first && (first.awake || first.at <= now);
      first = this.#sleepers.first
    ) {
      this.#sleepers.take();
      if (!first.awake) first.wake();
    }
    this.#arm();
  }

  #learn(late: number): void {
    this.#late = late > this.#late
      ? Math.min(LATE_MS.most, this.#late + LATE_MS.more)
      : this.#late - LATE_MS.less;
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
  readonly wake: (value: void) => void;
  /** It woke early. It keeps its place, which costs less than to look for it. */
  awake: boolean;
}

/** Sleepers by when they wake: a binary heap. */
class Sleepers {
  readonly #heap: Sleeper[] = [];

  get first(): Sleeper | undefined {
    return this.#heap[0];
  }

  /** In no order. */
  get all(): readonly Sleeper[] {
    return this.#heap;
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
