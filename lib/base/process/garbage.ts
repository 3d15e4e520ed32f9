/** With `--expose-gc`, one of the flags of the program. */
interface Collecting {
  gc?(): void;
}

/** Frees all memory of this thread that is used no more, where the program may. */
export function collectGarbage(): void {
  (globalThis as Collecting).gc?.();
}

/** How much garbage a heap may have before it is collected. */
interface GarbageLimit {
  /** Of what is in use. */
  readonly share: number;
  /** Mebibytes, however little is in use. */
  readonly leastMib: number;
  /** The buffers behind the heap count as well. */
  readonly buffers: boolean;
}

/**
 * A heap that is collected by its size. V8 lets that of a thread that puts together
 * what others send it grow to four times what is used, and the buffers behind it to
 * more. That of a thread with VUs it collects some time after its limit: when it next
 * needs a page for what is old from the start (docs/decisions/112-collected-in-time.md).
 */
export class CollectedHeap {
  readonly #limit: GarbageLimit;
  /** Bytes at which it is collected: by the least that was in use so far, garbage and all. */
  #most = Infinity;

  constructor(limit: GarbageLimit) {
    this.#limit = limit;
  }

  /**
   * To be called once a second: collects garbage when there is too much of it, which
   * stops this thread for some 20 ms.
   */
  look(): void {
    const used = this.#used();
    if (used < this.#most) {
      // V8 may have collected it.
      this.#most = Math.min(this.#most, this.#mostAfter(used));
      return;
    }
    collectGarbage();
    this.#most = this.#mostAfter(this.#used());
  }

  #used(): number {
    const { heapUsed, external } = Deno.memoryUsage();
    return this.#limit.buffers ? heapUsed + external : heapUsed;
  }

  #mostAfter(used: number): number {
    const { share, leastMib } = this.#limit;
    return used + Math.max(used * share, leastMib * 2 ** 20);
  }
}
