/** Memory for the count that all threads of a run share. */
export function slotMemory(): SharedArrayBuffer {
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
