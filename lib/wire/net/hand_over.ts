import type { Clock } from "../../base/time/clock.ts";

/** Goes on with what came, such as a response. */
type Resolve<T = unknown> = (came: T) => void;

/**
 * A thread with fewer responses a millisecond, on whose VUs it spends a smaller share of its
 * time, has the time to look for more before it goes on.
 */
const SPARSE = 8;
const IDLE_SHARE = 0.3;
/** How long both are measured, in milliseconds, and how long a thread counts as busy then. */
const MEASURED_MS = 50;
const BUSY_MS = 1_000;
/** So many responses in one turn of the event loop: more are likely there to be read. */
const BURST = 48;
/** Fewer in a later turn of a burst: it is read. Where responses are sparse, none is. */
const FEW = 32;
/** Turns that only read, at the most, before anything is handed over. */
const MOST_TURNS = 64;
/** How long responses are handed over before the event loop looks for more, in milliseconds. */
const SLICE_MS = 1;
/** Responses between two looks at the clock. Where they are sparse, one before each look for more. */
const STRIDE = 8;

/**
 * Responses, and reads of WebSockets, on their way from connections to VUs, of one thread.
 *
 * The work of a VU with a response takes longer than reading it. Of those that come
 * together the last would seem as late as the work on all others takes. So nothing is
 * handed over until a turn of the event loop brought no more, or, after a burst on a
 * busy thread, few.
 *
 * A response that no other can come with is handed over at once, and those of a busy
 * thread when all of their turn are read: to look for more costs as much as the work on it.
 */
export class HandOver {
  readonly #clock: Clock;
  /** Kept, so that a turn allocates nothing; what was handed over is let go. */
  readonly #resolves: (Resolve | undefined)[] = [];
  readonly #came: unknown[] = [];
  #next = 0;
  #end = 0;
  #fresh = 0;
  #turns = 0;
  #running = false;
  #sliceEnd = NaN;
  /** Exchanges under way, and open WebSockets. */
  #awaited = 0;
  #sparse = true;
  #counted = 0;
  /** How long VUs worked between two looks, in milliseconds. */
  #worked = 0;
  #measuredFrom = -Infinity;
  #handedAt = NaN;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An exchange, or a WebSocket, that something may come for from now on. */
  began(): void {
    this.#awaited++;
  }

  /** A WebSocket is gone; an exchange ends with its response. */
  ended(): void {
    this.#awaited--;
  }

  /**
   * Ends an exchange: calls `resolve` with its response, at once, or soon where more may
   * have come together with it.
   *
   * @param at when it arrived: one moment for all of a turn
   */
  add<T>(resolve: Resolve<T>, response: T, at: number): void {
    this.#awaited--;
    this.#add(resolve as Resolve, response, at, this.#awaited);
  }

  /** The same for a WebSocket, which stays open: `resolve` looks at what was read. */
  read(resolve: () => void, at: number): void {
    this.#add(resolve, undefined, at, this.#awaited - 1);
  }

  /** @param others that may have come with it */
  #add(resolve: Resolve, came: unknown, at: number, others: number): void {
    this.#count(at);
    if (!this.#running) {
      if (this.#sparse && others === 0) return resolve(came);
      this.#running = true;
      if (this.#sparse) this.#later();
      else queueMicrotask(this.#turnRead);
    }
    this.#resolves[this.#end] = resolve;
    this.#came[this.#end++] = came;
    this.#fresh++;
  }

  #count(at: number): void {
    this.#counted++;
    const passed = at - this.#measuredFrom;
    if (passed < (this.#sparse ? MEASURED_MS : BUSY_MS)) return;
    // What is handed over at once is not measured: the thread is tried again.
    this.#sparse = this.#counted < SPARSE * passed &&
      (!this.#sparse || this.#worked < IDLE_SHARE * passed);
    this.#counted = 0;
    this.#worked = 0;
    this.#measuredFrom = at;
  }

  /** All that a turn brought a busy thread is read. */
  readonly #turnRead = (): void => {
    if (this.#end >= BURST) return this.#later();
    this.#fresh = 0;
    this.#handOver(this.#end);
    // The work on one may have ended another exchange.
    if (this.#end > 0) queueMicrotask(this.#turnRead);
    else this.#running = false;
  };

  readonly #turn = (): void => {
    const isBurst = this.#fresh >= (this.#sparse ? 1 : FEW) &&
      this.#turns < MOST_TURNS;
    this.#fresh = 0;
    if (isBurst) {
      this.#turns++;
      return this.#later();
    }
    this.#turns = 0;
    this.#handedAt = this.#clock.now();
    this.#sliceEnd = this.#handedAt + SLICE_MS;
    this.#some();
  };

  /** Hands a few over, and goes on behind what their VUs do at once. */
  readonly #some = (): void => {
    const isSingle = this.#sparse && this.#end - this.#next < BURST;
    const stride = isSingle ? 1 : STRIDE;
    this.#handOver(Math.min(this.#next + stride, this.#end));
    if (this.#end === 0) {
      this.#running = false;
      setImmediate(this.#measure);
    } else if (isSingle || this.#clock.now() >= this.#sliceEnd) this.#later();
    else queueMicrotask(this.#some);
  };

  /** Hands over those before `end`. */
  #handOver(end: number): void {
    while (this.#next < end) {
      const at = this.#next++;
      const resolve = this.#resolves[at]!;
      const came = this.#came[at];
      this.#resolves[at] = undefined;
      this.#came[at] = undefined;
      resolve(came);
    }
    if (end < this.#end) return;
    this.#next = 0;
    this.#end = 0;
  }

  /** Goes on when the event loop has looked for what there is to read: the next turn but one. */
  #later(): void {
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#measure();
    setImmediate(this.#turn);
  };

  /** Everything that VUs do at once with what was handed over is done. */
  readonly #measure = (): void => {
    if (Number.isNaN(this.#handedAt)) return;
    this.#worked += this.#clock.now() - this.#handedAt;
    this.#handedAt = NaN;
  };
}
