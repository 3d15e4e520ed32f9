import assert from "node:assert/strict";
import fc from "fast-check";
import {
  IMMEDIATE,
  type Limiter,
  sharedMemory,
} from "../../../../lib/engine/limiter/limiter.ts";
import {
  maxRpsLimiter,
  RateLimiter,
  takeTurns,
} from "../../../../lib/engine/limiter/rate_limiter.ts";
import { vuOf, vusIn } from "../../../../lib/engine/plan/shard.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { ceilingShare } from "../../../../lib/engine/plan/budget.ts";
import { nextVusIn, vusAt } from "../../../../lib/model/course.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { VuFixture } from "../vu/vu_fixture.ts";

const tenASecond = ({ clock, generator }: VuFixture) =>
  new RateLimiter(10, sharedMemory().rate, clock, generator);

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

Deno.test("RateLimiter holds no request back below its rate", () => {
  const fixture = new VuFixture();
  const limiter = tenASecond(fixture);
  assert.equal(limiter.acquire(fixture.vu(0)), IMMEDIATE);
  assert.deepEqual(fixture.held, []);
});

Deno.test("RateLimiter says how long it held a request back", async () => {
  const fixture = new VuFixture();
  const limiter = tenASecond(fixture);
  const vu = fixture.vu(0);
  await fixture.clock.drive(
    Promise.all([1, 2, 3, 4].map(() => limiter.acquire(vu))),
  );
  assert.deepEqual(fixture.held, [100, 200]);
});

Deno.test("RateLimiter holds no request back longer when the clock on the wall is set back", () => {
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
    const clock = new ManualClock();
    const start = clock.now();
    const sent: number[] = [];
    const shards = Array.from({ length: count }, async (_, index) => {
      const shard = { index, count };
      const plan = { maxRps, shard, executor: "closed", peakVus: 24 } as const;
      const memory = sharedMemory();
      takeTurns(plan, memory, clock.wall());
      const limiter = maxRpsLimiter(plan, memory, clock, { held() {} });
      while (clock.now() < start + 1_000) {
        await limiter.acquire({
          stopped: false,
          beganAt: start,
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

/** Requests of closed VUs that take 40 ms each, over all shards, second by second. */
async function sentUnder(
  maxRps: number,
  count: number,
  profile: Pick<RunPlan, "peakVus" | "vus">,
): Promise<number[]> {
  const clock = new ManualClock();
  const start = clock.now();
  const sent: number[] = [];
  const visit = async (plan: RunPlan, limiter: Limiter, vu: number) => {
    for (;;) {
      const elapsed = clock.now() - start;
      if (elapsed >= 4_000) return;
      if (vu >= vusAt(plan, elapsed)) {
        await clock.sleep(nextVusIn(plan, elapsed));
        continue;
      }
      await limiter.acquire({
        stopped: false,
        beganAt: start,
        now: () => clock.now(),
        sleep: (ms) => clock.sleep(ms),
      });
      sent.push(Math.floor((clock.now() - start) / 1_000));
      await clock.sleep(40);
    }
  };
  const shards = Array.from({ length: count }, (_, index) => {
    const shard = { index, count };
    const plan = { maxRps, shard, executor: "closed", ...profile } as RunPlan;
    const memory = sharedMemory();
    takeTurns(plan, memory, clock.wall());
    const limiter = maxRpsLimiter(plan, memory, clock, { held() {} }, start);
    const vus = Array.from({ length: vusIn(shard, plan.peakVus) });
    return vus.map((_, nth) => visit(plan, limiter, vuOf(shard, nth)));
  });
  await clock.drive(Promise.all(shards.flat()));
  return [0, 1, 2, 3].map((t) => sent.filter((each) => each === t).length);
}

const PROFILES: readonly (readonly [
  what: string,
  maxRps: number,
  profile: Pick<RunPlan, "peakVus" | "vus">,
])[] = [
  ["VUs that cannot be divided equally", 250, { peakVus: 11 }],
  ["a ceiling that few VUs do not reach", 1_000, { peakVus: 11 }],
  ["a ramp from one VU", 60, {
    peakVus: 24,
    vus: { from: 1, stages: [{ to: 24, overMs: 3_000 }] },
  }],
];

for (const [what, maxRps, profile] of PROFILES) {
  Deno.test(`maxRpsLimiter: under ${what} 3 and 8 shards send as much as one process, second by second`, async () => {
    const one = await sentUnder(maxRps, 1, profile);
    for (const count of [3, 8]) {
      const shards = await sentUnder(maxRps, count, profile);
      shards.forEach((sent, t) => {
        // A shard that waits for its turn is one request late.
        assert.ok(Math.abs(sent - one[t]!) <= count, `${t}: ${shards} ${one}`);
      });
    }
  });
}

Deno.test("ceilingShare: the shares of all shards make one whole at any moment", () => {
  const level = fc.integer({ min: 0, max: 40 });
  const overMs = fc.integer({ min: 0, max: 600 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("open" as const, "closed" as const),
      level,
      fc.array(fc.record({ to: level, overMs }), { maxLength: 4 }),
      fc.integer({ min: 0, max: 1_200 }),
      (count, executor, from, stages, elapsed) => {
        const plan = { executor, vus: { from, stages }, peakVus: 40 };
        const shares = Array.from(
          { length: count },
          (_, index) =>
            ceilingShare({ ...plan, shard: { index, count } }, elapsed),
        );
        const whole = shares.reduce((sum, each) => sum + each, 0);
        assert.ok(Math.abs(whole - 1) < 1e-9, String(shares));
      },
    ),
  );
});
