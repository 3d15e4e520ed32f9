/** Something that sleeps until `at`. */
export interface Sleeper {
  readonly at: number;
  /** Ends the sleep early. */
  readonly signal: AbortSignal | undefined;
  readonly wake: () => void;
  /** It woke early. It keeps its place, which costs less than to look for it. */
  awake: boolean;
}

/** Sleepers by when they wake: a binary heap. */
export class Sleepers {
  readonly #heap: Sleeper[] = [];

  /** The sleeper that wakes next. */
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

  /** Takes out the first. */
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
