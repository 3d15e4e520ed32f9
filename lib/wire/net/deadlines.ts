import type { Clock } from "../../base/time/clock.ts";

/** Something that has to end in time. */
export interface Expiring {
  /** Called once when the time is up; the deadline is already stopped then. */
  expire(): void;
}

/** One running deadline. Made once and started again and again. */
export class Deadline {
  /** When it is over, on the clock. */
  at = 0;
  /** Neighbours in its queue; the deadline itself when it is not running. */
  next: Deadline = this;
  previous: Deadline = this;

  constructor(public owner: Expiring) {}

  get running(): boolean {
    return this.next !== this;
  }
}

/** Deadlines of one length: started in order, so they end in order. */
interface Queue {
  /** Stands before the first and after the last. */
  readonly ends: Deadline;
  readonly timeoutMs: number;
}

const NOTHING_TO_EXPIRE: Expiring = { expire() {} };

/** A thread that wakes so late was held up: suspended, or out of its share of the CPU. */
const HELD_UP_MS = 20;
/** Long enough for such a thread to read what has come meanwhile. */
const CATCH_UP_MS = 10;

/**
 * Deadlines of all exchanges of a thread, without a timer each.
 *
 * Those of one length form a linked list in the order they were started, which
 * is the order they end in. One sleeper per length watches the first; starting
 * and stopping move a few references and allocate nothing.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #queues = new Map<number, Queue>();
  readonly #closed = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts a stopped deadline; `now` is the clock's time the caller has at hand. */
  start(deadline: Deadline, now: number, timeoutMs: number): void {
    let queue = this.#queues.get(timeoutMs);
    if (!queue) {
      queue = { ends: new Deadline(NOTHING_TO_EXPIRE), timeoutMs };
      this.#queues.set(timeoutMs, queue);
      this.#watch(queue, timeoutMs);
    }
    const { ends } = queue;
    deadline.at = now + timeoutMs;
    deadline.previous = ends.previous;
    deadline.next = ends;
    ends.previous.next = deadline;
    ends.previous = deadline;
  }

  /** Stops a deadline; one that is not running stays as it is. */
  stop(deadline: Deadline): void {
    deadline.previous.next = deadline.next;
    deadline.next.previous = deadline.previous;
    deadline.next = deadline;
    deadline.previous = deadline;
  }

  /** Ends every sleeper. Deadlines that still run never expire. */
  close(): void {
    this.#closed.abort();
    this.#queues.clear();
  }

  async #watch(queue: Queue, firstMs: number): Promise<void> {
    const { signal } = this.#closed;
    for (let sleepMs = firstMs; !signal.aborted;) {
      const until = this.#clock.now() + sleepMs;
      await this.#clock.sleep(sleepMs, signal);
      // A response that came in time and is not read yet has not timed out.
      if (this.#clock.now() - until > HELD_UP_MS) {
        await this.#clock.sleep(CATCH_UP_MS, signal);
      }
      if (signal.aborted) return;
      this.#expire(queue, this.#clock.now());
      const first = queue.ends.next;
      if (first === queue.ends) {
        // Lengths come and go (a poll's remaining time): keep no idle sleeper.
        this.#queues.delete(queue.timeoutMs);
        return;
      }
      // Those that end within the same millisecond end together.
      sleepMs = Math.max(1, first.at - this.#clock.now());
    }
  }

  #expire(queue: Queue, now: number): void {
    for (
      let first = queue.ends.next;
      first !== queue.ends && first.at <= now;
      first = queue.ends.next
    ) {
      this.stop(first);
      first.owner.expire();
    }
  }
}
