import assert from "node:assert/strict";
import { constant } from "../../../../lib/model/course.ts";
import {
  IMMEDIATE,
  sharedMemory,
  SpentSlots,
} from "../../../../lib/engine/limiter/limiter.ts";
import {
  RateLimiter,
  tokenLimiter,
} from "../../../../lib/engine/limiter/rate_limiter.ts";
import { VuFixture } from "../vu/vu_fixture.ts";

/** Token requests of an open plan sent at once; how many slots they took. */
function spentBy(
  requests: number,
  ceiling: { readonly maxRps?: number },
  perSecond: number,
): number {
  const fixture = new VuFixture();
  const memory = sharedMemory();
  const plan = {
    executor: "open" as const,
    peakVus: 1,
    rate: constant(perSecond),
    ...ceiling,
  };
  const limiter = tokenLimiter(plan, memory, fixture.clock, fixture.generator);
  for (let request = 0; request < requests; request++) {
    assert.equal(limiter.acquire(fixture.vu(0)), IMMEDIATE, "no request waits");
  }
  const spent = new SpentSlots(memory.spent);
  let count = 0;
  while (spent.take()) count++;
  return count;
}

Deno.test("tokenLimiter spends a slot of the open executor where the slots are all of `max_rps`", () => {
  assert.equal(spentBy(3, { maxRps: 50 }, 50), 3);
});

Deno.test("tokenLimiter uses what the slots leave of `max_rps` first", () => {
  // A tenth of a second of 70/s is saved up: seven requests, and the one now.
  assert.equal(spentBy(8, { maxRps: 70 }, 50), 0);
  assert.equal(spentBy(10, { maxRps: 70 }, 50), 2);
});

Deno.test("tokenLimiter lets token requests pass without a ceiling", () => {
  assert.equal(spentBy(10, {}, 50), 0);
});

Deno.test("tokenLimiter shares the ceiling with every request in the closed executor", async () => {
  const fixture = new VuFixture();
  const memory = sharedMemory();
  const { clock, generator } = fixture;
  const plan = { executor: "closed" as const, maxRps: 1, peakVus: 2 };
  const requests = new RateLimiter(1, memory.rate, clock, generator);
  const tokens = tokenLimiter(plan, memory, clock, generator);
  assert.equal(requests.acquire(fixture.vu(0)), IMMEDIATE);
  await clock.drive(Promise.resolve(tokens.acquire(fixture.vu(1))));
  assert.deepEqual(fixture.held, [900]);
});
