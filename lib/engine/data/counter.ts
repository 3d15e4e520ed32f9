/** Counts across all threads of a run. */
export interface SharedCounter {
  /** How many numbers were taken; at least that many when threads race. */
  taken(): number;
  /** The next number, from 0; no number is given twice. */
  take(): number;
}

/** Memory for `count` counters that every worker thread may be handed. */
export function counterMemory(count: number): SharedArrayBuffer {
  return new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT);
}

/**
 * The counter in slot `index` of the shared memory. It holds 32 bits: a run of
 * more than 4,294,967,296 numbers begins again at 0.
 */
export function sharedCounter(
  memory: SharedArrayBuffer,
  index: number,
): SharedCounter {
  const slots = new Uint32Array(memory);
  return {
    taken: () => Atomics.load(slots, index),
    take: () => Atomics.add(slots, index, 1),
  };
}
