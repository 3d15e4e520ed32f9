import type { RunPlan } from "../plan/plan.ts";
import {
  IterationNumbers,
  MOST_NUMBERS,
  numberMemory,
} from "./iteration_numbers.ts";

/** Asks for a permit to send a request: a virtual user, or a token request. */
export interface Requester {
  /** The run must end at once. */
  readonly stopped: boolean;
  /** When the work began that the request is a part of: its iteration. */
  readonly beganAt: number;
  /** The slot that its iteration began with, until a request takes it. */
  slot?: Permit | undefined;
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Allows one request. */
export interface Permit {
  /**
   * The moment that the response time counts from, on the run's clock: in the open
   * executor when the slot was due, if the target kept every VU busy, else the
   * actual start. NaN in the other executors: it is the service time.
   */
  readonly dueAt: number;
  /** The slot had to wait for a VU. */
  readonly backlogged?: true;
}

/** The permit of a request that did not have to wait. */
export const IMMEDIATE: Permit = { dueAt: NaN };

/** Every request needs a permit before it is sent. */
export interface Limiter {
  /** A permit at once, or a promise of one when the request has to wait. */
  acquire(requester: Requester): Permit | Promise<Permit>;
}

/** Without a ceiling: no request waits. */
export const UNLIMITED: Limiter = { acquire: () => IMMEDIATE };

/**
 * Slots under the target's `max_rps`. Their rate is no higher, but when a target
 * that kept every VU busy responds again, the slots that wait would all be taken at
 * once: as many requests at the same moment as there are VUs, and again with each
 * response.
 *
 * A slot of the backlog still counts from when it was due; any other from the
 * actual start, because the wait is the ceiling's.
 */
export function underCeiling(slots: Limiter, ceiling: Limiter): Limiter {
  if (ceiling === UNLIMITED) return slots;
  const held = (permit: Permit, vu: Requester): Permit | Promise<Permit> => {
    const passed = ceiling.acquire(vu);
    if (!(passed instanceof Promise)) return permit;
    return passed.then(() => permit.backlogged ? permit : { dueAt: vu.now() });
  };
  return {
    acquire(vu) {
      const permit = slots.acquire(vu);
      return permit instanceof Promise
        ? permit.then((each) => held(each, vu))
        : held(permit, vu);
    },
  };
}

/**
 * The memory that all threads of a run share: the numbers of its
 * iterations, the next free moment under `max_rps`, and the slots spent before
 * they were due.
 */
export interface SharedMemory {
  readonly numbers: SharedArrayBuffer;
  readonly rate: SharedArrayBuffer;
  readonly spent: SharedArrayBuffer;
}

/** Memory for the next free moment under `max_rps`. */
export function rateMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * Fresh shared memory, without a number.
 *
 * @param rate of runs that go on at once, and keep one `max_rps` together
 */
export function sharedMemory(rate = rateMemory()): SharedMemory {
  return { numbers: numberMemory(), rate, spent: slotMemory() };
}

/** Fresh shared memory for a run that has all its iterations to itself. */
export function wholeRunMemory(
  { iterations, replays }: Pick<RunPlan, "iterations" | "replays">,
  rate?: SharedArrayBuffer,
): SharedMemory {
  const memory = sharedMemory(rate);
  const from = replays?.iteration ?? 0;
  const to = iterations === undefined ? MOST_NUMBERS : from + iterations;
  new IterationNumbers(memory.numbers).add({ from, to });
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
