import {
  IterationNumbers,
  MOST_NUMBERS,
  numberMemory,
} from "./iteration_numbers.ts";

/**
 * What all threads of a run share, in one piece of memory: the numbers of its
 * iterations, the next free moment under `max_rps`, and the slots spent before
 * they were due.
 */
export interface SharedMemory {
  readonly numbers: SharedArrayBuffer;
  readonly rate: SharedArrayBuffer;
  readonly spent: SharedArrayBuffer;
}

/** Fresh shared memory, without a number. */
export function sharedMemory(): SharedMemory {
  return {
    numbers: numberMemory(),
    rate: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
    spent: slotMemory(),
  };
}

/** Fresh shared memory for a run that has all its iterations to itself. */
export function wholeRunMemory(iterations?: number): SharedMemory {
  const memory = sharedMemory();
  new IterationNumbers(memory.numbers)
    .add({ from: 0, to: iterations ?? MOST_NUMBERS });
  return memory;
}

/** Memory for the count that all threads of a run share. */
function slotMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Slots of the open executor that were spent before they were due, over all
 * threads: a request that belongs to no iteration was sent in their place.
 */
export class SpentSlots {
  readonly #count: Int32Array;

  constructor(memory: SharedArrayBuffer = slotMemory()) {
    this.#count = new Int32Array(memory);
  }

  /** The next slot that falls due goes to no iteration. */
  spend(): void {
    Atomics.add(this.#count, 0, 1);
  }

  /** Whether the slot that falls due now was spent. */
  take(): boolean {
    for (;;) {
      const count = Atomics.load(this.#count, 0);
      if (count === 0) return false;
      const seen = Atomics.compareExchange(this.#count, 0, count, count - 1);
      if (seen === count) return true;
    }
  }
}
