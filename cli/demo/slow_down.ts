import type { Clock } from "../../lib/base/time/clock.ts";

/** A clock on which every wait takes longer by a share. */
export function slowClock(clock: Clock, share: number): Clock {
  return {
    ...clock,
    now: () => clock.now(),
    wall: () => clock.wall(),
    sleep: (ms, signal) => clock.sleep(ms * (1 + share), signal),
  };
}

/**
 * Spends as much longer on a response as the share says. What it waits for is the slow
 * clock's part: to spend that here as well would make others wait.
 */
export function spentLonger<T>(
  work: () => T,
  share: number,
  clock: Clock,
): T {
  const from = clock.now();
  const found = work();
  const until = clock.now() + (clock.now() - from) * share;
  while (clock.now() < until);
  return found;
}
