import {
  IterationNumbers,
  MOST_NUMBERS,
  numberMemory,
} from "./iteration_numbers.ts";
import { slotMemory } from "./spent_slots.ts";

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
