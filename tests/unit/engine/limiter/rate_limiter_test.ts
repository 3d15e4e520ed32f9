import assert from "node:assert/strict";
import fc from "fast-check";
import { IMMEDIATE } from "../../../../lib/engine/limiter/limiter.ts";
import {
  maxRpsLimiter,
  RateLimiter,
  takeTurns,
} from "../../../../lib/engine/limiter/rate_limiter.ts";
import { sharedMemory } from "../../../../lib/engine/limiter/shared_memory.ts";
import { FakeClock } from "../../../support/fake_clock.ts";
import { VuFixture } from "../vu/vu_fixture.ts";

Deno.test("RateLimiter lets no more than its rate pass in any window, over all threads", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 6 }),
      async (rate, threads, visitors) => {
        const fixture = new VuFixture();
        const { rate: memory } = sharedMemory();
        const passed: number[] = [];
        const visit = async (limiter: RateLimiter) => {
          for (let request = 0; request < 20; request++) {
            await limiter.acquire(fixture.vu(0));
            passed.push(fixture.clock.now());
          }
        };
        const limiters = Array.from(
          { length: threads },
          () => new RateLimiter(rate, memory, fixture.clock, fixture.generator),
        );
        await fixture.clock.drive(Promise.all(
          limiters.flatMap((limiter) =>
            Array.from({ length: visitors }, () => visit(limiter))
          ),
        ));
        passed.sort((a, b) => a - b);
        for (let from = 0; from < passed.length; from += 3) {
          for (let to = from; to < passed.length; to += 3) {
            const span = passed[to]! - passed[from]!;
            // A tenth of a second may be saved up; an interval is rounded to 1 us.
            const most = (span + 100) * rate / 999 + 1;
            assert.ok(to - from <= most, `${to - from} in ${span} ms`);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("RateLimiter holds nobody back below its rate", () => {
  const fixture = new VuFixture();
  const limiter = new RateLimiter(
    10,
    sharedMemory().rate,
    fixture.clock,
    fixture.generator,
  );
  assert.equal(limiter.acquire(fixture.vu(0)), IMMEDIATE);
  assert.deepEqual(fixture.held, []);
});

Deno.test("RateLimiter says how long it held a request back", async () => {
  const fixture = new VuFixture();
  const limiter = new RateLimiter(
    10,
    sharedMemory().rate,
    fixture.clock,
    fixture.generator,
  );
  const vu = fixture.vu(0);
  await fixture.clock.drive(
    Promise.all([1, 2, 3, 4].map(() => limiter.acquire(vu))),
  );
  assert.deepEqual(fixture.held, [100, 200]);
});

Deno.test("RateLimiter holds nobody back longer when the clock on the wall is set back", () => {
  const fixture = new VuFixture();
  const { clock, generator } = fixture;
  let set = 0;
  const moved = {
    now: () => clock.now(),
    wall: () => clock.now() + 1e12 + set,
    sleep: (ms: number) => clock.sleep(ms),
  };
  const limiter = new RateLimiter(10, sharedMemory().rate, moved, generator);
  limiter.acquire(fixture.vu(0));
  set = -3_600_000;
  limiter.acquire(fixture.vu(0));
  limiter.acquire(fixture.vu(0));
  assert.deepEqual(fixture.held, [100]);
});

Deno.test("maxRpsLimiter: shards that ask all the time send as often as one process, none at the same moment", async () => {
  const maxRps = 50;
  const sentBy = async (count: number) => {
    const clock = new FakeClock();
    const start = clock.now();
    const sent: number[] = [];
    const shards = Array.from({ length: count }, async (_, index) => {
      const plan = { maxRps, shard: { index, count } };
      const memory = sharedMemory();
      takeTurns(plan, memory, clock.wall());
      const limiter = maxRpsLimiter(plan, memory, clock, { held() {} });
      while (clock.now() < start + 1_000) {
        await limiter.acquire({
          stopped: false,
          now: () => clock.now(),
          sleep: (ms) => clock.sleep(ms),
        });
        sent.push(Math.round(clock.now() - start));
      }
    });
    await clock.drive(Promise.all(shards));
    return sent.filter((at) => at < 1_000).sort((a, b) => a - b);
  };
  const one = await sentBy(1);
  assert.deepEqual(await sentBy(3), one);
  assert.deepEqual(await sentBy(8), one);
});
