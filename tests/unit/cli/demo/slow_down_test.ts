import assert from "node:assert/strict";
import { slowClock, spentLonger } from "../../../../cli/demo/stress.ts";
import type { Clock } from "../../../../lib/base/time/clock.ts";

/** A clock that each look at it moves on by a microsecond, and each sleep by its length. */
function clockOf(): Clock {
  let now = 0;
  return {
    now: () => now += 0.001,
    wall: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  } as Clock;
}

Deno.test("slowClock makes waits longer by the share", async () => {
  const clock = clockOf();
  await slowClock(clock, 0.05).sleep(20);
  assert.ok(Math.abs(clock.now() - 21) < 0.01);
});

Deno.test("spentLonger makes a response take longer by the share of what it took", () => {
  const clock = clockOf();
  const respond = () => {
    while (clock.now() < 10);
    return 7;
  };
  assert.equal(spentLonger(respond, 0.2, clock), 7);
  assert.ok(Math.abs(clock.now() - 12) < 0.1);
});
