import {
  counterMemory,
  type SharedCounter,
  sharedCounter,
} from "../data/counter.ts";
import { slotMemory } from "./spent_slots.ts";

/**
 * What all threads of a run share, in one piece of memory: the number of
 * iterations begun, the rows each pool handed out, the next free moment under
 * `max_rps`, and the slots spent before they were due.
 */
export interface SharedMemory {
  readonly counters: SharedArrayBuffer;
  readonly rate: SharedArrayBuffer;
  readonly spent: SharedArrayBuffer;
}

/**
 * Fresh shared memory for a run with this many pools.
 *
 * @param firstRow the first row each pool hands out
 */
export function sharedMemory(pools: number, firstRow = 0): SharedMemory {
  const counters = counterMemory(pools + 1);
  new Uint32Array(counters).fill(firstRow, 1);
  return {
    counters,
    rate: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
    spent: slotMemory(),
  };
}

/** Numbers iterations. */
export function iterationCounter(memory: SharedMemory): SharedCounter {
  return sharedCounter(memory.counters, 0);
}

/** Numbers the rows that the pool in slot `pool` hands out. */
export function poolCounter(memory: SharedMemory, pool: number): SharedCounter {
  return sharedCounter(memory.counters, pool + 1);
}
