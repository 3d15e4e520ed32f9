import type { Clock } from "../../base/time/clock.ts";

/** Goes on with what came, such as a response. */
type Resolve = (came: unknown) => void;

/** So many responses in one turn of the event loop: more are likely there to be read. */
const BURST = 48;
/** Fewer in a later turn of a burst: it is read. */
const FEW = 32;
/** Turns that only read, at the most, before anything is handed over. */
const MOST_TURNS = 64;
/** How long responses are handed over before the event loop looks for more, in milliseconds. */
const SLICE_MS = 1;
/** Responses between two looks at the clock. */
const STRIDE = 8;

/**
 * Responses, and reads of WebSockets, on their way from connections to VUs, of one thread.
 *
 * The work of a VU with a response takes longer than reading it. A thousand of them at once
 * would be looked at one by one, and the last would seem as late as the work on
 * all others takes. So after a burst nothing is handed over until a turn brought few,
 * and then no longer than `SLICE_MS` at a time, so that what comes meanwhile gets its time.
 */
export class HandOver {
  readonly #clock: Clock;
  /** Kept, so that a turn allocates nothing; what was handed over is let go. */
  readonly #resolves: (Resolve | undefined)[] = [];
  readonly #came: unknown[] = [];
  #next = 0;
  #end = 0;
  #turnAt = NaN;
  #inTurn = 0;
  #fresh = 0;
  #turns = 0;
  #running = false;
  #sliceEnd = NaN;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Calls `resolve` with the response: at once, or soon where many came together.
   *
   * @param at when it arrived: one moment for all of a turn
   */
  add<T>(resolve: (response: T) => void, response: T, at: number): void {
    if (this.#atOnce(at)) resolve(response);
    else this.#queue(resolve as Resolve, response);
  }

  /**
   * The same for a connection that reads in a loop: it has read, and waits for this
   * before it looks at the bytes. Undefined where it may go on at once.
   */
  turn(at: number): Promise<void> | undefined {
    if (this.#atOnce(at)) return undefined;
    return new Promise((resolve) => this.#queue(resolve as Resolve, undefined));
  }

  /** Counts one more; true where it belongs to no burst. */
  #atOnce(at: number): boolean {
    if (this.#running) return false;
    if (at !== this.#turnAt) {
      this.#turnAt = at;
      this.#inTurn = 0;
    }
    if (++this.#inTurn < BURST) return true;
    this.#running = true;
    this.#later();
    return false;
  }

  #queue(resolve: Resolve, came: unknown): void {
    this.#resolves[this.#end] = resolve;
    this.#came[this.#end++] = came;
    this.#fresh++;
  }

  readonly #turn = (): void => {
    const isBurst = this.#fresh >= FEW && this.#turns < MOST_TURNS;
    this.#fresh = 0;
    if (isBurst) {
      this.#turns++;
      return this.#later();
    }
    this.#turns = 0;
    this.#sliceEnd = this.#clock.now() + SLICE_MS;
    this.#some();
  };

  /** Hands a few over, and goes on behind what their VUs do at once. */
  readonly #some = (): void => {
    const end = Math.min(this.#next + STRIDE, this.#end);
    while (this.#next < end) {
      const at = this.#next++;
      const resolve = this.#resolves[at]!;
      const came = this.#came[at];
      this.#resolves[at] = undefined;
      this.#came[at] = undefined;
      resolve(came);
    }
    if (end === this.#end) {
      this.#next = 0;
      this.#end = 0;
      this.#running = false;
    } else if (this.#clock.now() >= this.#sliceEnd) this.#later();
    else queueMicrotask(this.#some);
  };

  /** Goes on when the event loop has looked for what there is to read: the next turn but one. */
  #later(): void {
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    setImmediate(this.#turn);
  };
}
