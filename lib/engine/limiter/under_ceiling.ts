import {
  type Limiter,
  type Permit,
  type Requester,
  UNLIMITED,
} from "./limiter.ts";

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
