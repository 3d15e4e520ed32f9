/** The only source of time. Everything else is handed one of these. */
export interface Clock {
  /** Monotonic milliseconds, with fractions, from an arbitrary start. */
  now(): number;
  /** Milliseconds since the Unix epoch. */
  wall(): number;
  /**
   * Resolves after `ms`, or as soon as `signal` aborts. Without a wait it is one
   * turn of the event loop: what is due runs first.
   * Never rejects: the caller looks at the signal.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * When what the event loop has just brought was there, on this clock: one moment for
   * all that came in the same turn. Who is served last has not waited for the
   * target meanwhile. Only for the callback of a read; absent, it is now.
   */
  arrival?(): number;
  /** Its sleeps end a millisecond late or two: a `PreciseClock` does better. */
  readonly coarse?: boolean;
  /** Ends what it does apart from the event loop. */
  close?(): Promise<void>;
}

/** When what has just been read was there. */
export function arrivalOn(clock: Clock): number {
  return clock.arrival ? clock.arrival() : clock.now();
}

/** The longest a timer of the runtime waits, 24.8 days; it fires at once where it is set to more. */
const LONGEST_MS = 2 ** 31 - 1;

let arrivedAt = NaN;

/** Runs behind the callbacks of all reads that this turn has completed. */
function forgetArrival(): void {
  arrivedAt = NaN;
}

export const systemClock: Clock = {
  coarse: true,
  now: () => performance.now(),
  wall: () => Date.now(),
  arrival() {
    if (Number.isNaN(arrivedAt)) {
      arrivedAt = performance.now();
      queueMicrotask(forgetArrival);
    }
    return arrivedAt;
  },
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    if (ms <= 0) return new Promise((resolve) => setImmediate(resolve));
    if (ms > LONGEST_MS) {
      return systemClock.sleep(LONGEST_MS, signal)
        .then(() => systemClock.sleep(ms - LONGEST_MS, signal));
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    });
  },
};
