/** Iteration numbers from `from` up to, but not including, `to`. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** The last number there is room for, and one more. */
export const MOST_NUMBERS = 0xffffffff;

const MORE = 0;
/** Where each range begins: its next number, then its end. */
const ONE = 1;
const OTHER = 3;
const RANGES = [ONE, OTHER] as const;
const WORDS = 5;

/** Memory for numbers that every worker thread may be handed; none is in it yet. */
export function numberMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * Uint32Array.BYTES_PER_ELEMENT);
}

/**
 * Numbers the iterations of a run, over all threads of this process, so that
 * `iterations: N` is met exactly and no fixture row is handed out twice: the
 * number of an iteration is also what picks its rows.
 *
 * The numbers are in two ranges. A process that has the run for itself is given
 * all of them in one. A shard is given a few at a time: while the threads use up
 * one range, the next one arrives in the other.
 */
export class IterationNumbers {
  readonly #words: Uint32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Uint32Array(memory);
  }

  /** The lowest number that is left; undefined when there is none at the moment. */
  take(): number | undefined {
    for (;;) {
      const at = this.#lowest();
      if (at === undefined) return undefined;
      const next = Atomics.load(this.#words, at);
      if (next >= Atomics.load(this.#words, at + 1)) continue;
      const seen = Atomics.compareExchange(this.#words, at, next, next + 1);
      if (seen === next) return next;
    }
  }

  /** Where the range of the lowest number is. */
  #lowest(): number | undefined {
    if (this.#leftAt(ONE) === 0) {
      return this.#leftAt(OTHER) === 0 ? undefined : OTHER;
    }
    if (this.#leftAt(OTHER) === 0) return ONE;
    const isOne = Atomics.load(this.#words, ONE) <
      Atomics.load(this.#words, OTHER);
    return isOne ? ONE : OTHER;
  }

  /** Whether numbers may still be added. */
  get growing(): boolean {
    return Atomics.load(this.#words, MORE) === 1;
  }

  /** @param growing whether numbers may still be added */
  grow(growing: boolean): void {
    Atomics.store(this.#words, MORE, growing ? 1 : 0);
  }

  /** How many numbers are left. */
  left(): number {
    return RANGES.reduce((sum, at) => sum + this.#leftAt(at), 0);
  }

  /** Whether there is room for another range. */
  get hasRoom(): boolean {
    return RANGES.some((at) => this.#leftAt(at) === 0);
  }

  /**
   * Adds a range beyond all earlier ones. To be called by one thread only, when
   * there is room. A thread that reads meanwhile sees an empty range until both
   * words are written.
   */
  add({ from, to }: NumberRange): void {
    const at = RANGES.find((each) => this.#leftAt(each) === 0);
    if (at === undefined) throw new Error("there is no room for more numbers");
    Atomics.store(this.#words, at, from);
    Atomics.store(this.#words, at + 1, to);
  }

  #leftAt(at: number): number {
    const next = Atomics.load(this.#words, at);
    return Math.max(0, Atomics.load(this.#words, at + 1) - next);
  }
}
