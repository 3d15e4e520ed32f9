import assert from "node:assert/strict";
import fc from "fast-check";
import { runOpen } from "../../../../lib/engine/schedule/open.ts";
import { maxRpsLimiter } from "../../../../lib/engine/limiter/rate_limiter.ts";
import {
  underCeiling,
  wholeRunMemory,
} from "../../../../lib/engine/limiter/limiter.ts";
import { SlotLimiter } from "../../../../lib/engine/limiter/slot_limiter.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { constant, unitsBy, vusAt } from "../../../../lib/model/course.ts";
import { PLAN, type Script, VuFixture } from "../vu/vu_fixture.ts";

async function play(plan: Partial<RunPlan>, script: Script) {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const run = fixture.load({ executor: "open", ...plan }, [
    fixture.step(script),
  ], limiter);
  const unserved = await fixture.clock.drive(runOpen(run, limiter));
  return { fixture, unserved };
}

Deno.test("runOpen never sends ahead of its rate, and accounts for every slot", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1 }),
      async (rate, peakVus, latencies) => {
        const latencyMs = (number: number) =>
          latencies[number % latencies.length]!;
        const { fixture, unserved } = await play(
          { peakVus, endMs: 1_000, rate: constant(rate) },
          { latencyMs },
        );
        fixture.sent.forEach((at, slot) =>
          assert.ok(fixture.elapsed(at) >= slot * 1_000 / rate - 1e-6)
        );
        assert.equal(fixture.sent.length + unserved, rate);
        assert.equal(fixture.offered.length, rate);
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("runOpen keeps to its rate over any window while VUs are free", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (rate) => {
      const { fixture } = await play(
        { peakVus: 20, endMs: 1_000, rate: constant(rate) },
        { latencyMs: () => 1 },
      );
      const { sent } = fixture;
      for (let from = 0; from < sent.length; from += 7) {
        for (let to = from; to < sent.length; to += 5) {
          const span = sent[to]! - sent[from]!;
          // Slots are handed out once a millisecond.
          assert.ok(to - from <= (span + 1) * rate / 1_000 + 1e-6);
        }
      }
    }),
    { numRuns: 20 },
  );
});

Deno.test("runOpen hands out each slot when it is due, not in clumps", async () => {
  for (const rate of [7, 300, 1_000, 5_000]) {
    const { fixture } = await play(
      { peakVus: 50, endMs: 200, rate: constant(rate) },
      { latencyMs: () => 1 },
    );
    fixture.sent.forEach((at, slot) => {
      const late = fixture.elapsed(at) - slot * 1_000 / rate;
      assert.ok(late <= 0.01, `${rate}/s: slot ${slot} is ${late} ms late`);
    });
  }
});

Deno.test("runOpen ends at once when its bound is met between two slots", async () => {
  const { fixture } = await play(
    { peakVus: 1, endMs: 60_000, rate: constant(10), iterations: 2 },
    { latencyMs: () => 1 },
  );
  assert.ok(fixture.elapsed() <= 201, `${fixture.elapsed()} ms`);
});

Deno.test("runOpen ends with the last response of its bound, and offers no request beyond it", async () => {
  for (const peakVus of [1, 3]) {
    const { fixture, unserved } = await play(
      { peakVus, rate: constant(0.1), iterations: 2 },
      { latencyMs: () => 40 },
    );
    assert.ok(fixture.elapsed() <= 10_050, `${fixture.elapsed()} ms`);
    assert.equal(fixture.offered.length, 2);
    assert.equal(unserved, 0);
  }
});

Deno.test("runOpen offers no request for an iteration that there is not", async () => {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const run = fixture.load(
    { executor: "open", peakVus: 3, rate: constant(100), iterations: 4 },
    [fixture.step({ latencyMs: () => 1 })],
    limiter,
  );
  // As with a pool that runs dry, which is not known before.
  const isOver = () => false;
  await fixture.clock.drive(runOpen({ ...run, isOver }, limiter));
  assert.equal(fixture.sent.length, 4);
  assert.equal(fixture.offered.length, 4);
});

Deno.test("runOpen lets the last iteration of its bound take as long as its slots", async () => {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const step = fixture.step({ latencyMs: () => 1 });
  const run = fixture.load(
    { executor: "open", peakVus: 2, rate: constant(0.1), iterations: 1 },
    Array.from({ length: 6 }, () => step),
    limiter,
  );
  await fixture.clock.drive(runOpen(run, limiter));
  assert.equal(fixture.sent.length, 6);
  assert.deepEqual(fixture.results.map((each) => each.interrupted), [false]);
});

Deno.test("runOpen counts a slot that the end of the plan left over as served when a request takes it", async () => {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const step = fixture.step({ latencyMs: () => 300 });
  const run = fixture.load(
    { executor: "open", peakVus: 2, endMs: 2_000, rate: constant(30) },
    [step, step, step],
    limiter,
  );
  const unserved = await fixture.clock.drive(runOpen(run, limiter));
  assert.equal(fixture.offered.length, 60);
  assert.equal(fixture.sent.length + unserved, 60);
});

Deno.test("runOpen counts response time from the slot when the target kept every VU busy", async () => {
  const { fixture } = await play(
    { peakVus: 1, endMs: 100, rate: constant(100) },
    { latencyMs: (number) => number === 0 ? 50 : 1 },
  );
  const [first, second, third] = fixture.samples;
  assert.deepEqual(
    [first!.service, first!.response],
    [50, 50],
    "the first request found a free VU",
  );
  assert.deepEqual(
    [second!.service, second!.response],
    [1, 41],
    "due at 10 ms, sent at 50 ms",
  );
  assert.deepEqual([third!.service, third!.response], [1, 32]);
});

Deno.test("runOpen stays below max_rps when a target that stalled responds again", async () => {
  for (const [perSecond, maxRps] of [[100, 100], [600, 600], [50, 80]]) {
    const fixture = new VuFixture();
    const slots = new SlotLimiter(fixture.generator);
    const { clock, generator } = fixture;
    const ceiling = maxRpsLimiter(
      { maxRps: maxRps!, executor: "open", peakVus: 1 },
      wholeRunMemory({}),
      clock,
      generator,
    );
    const peakVus = 20;
    const run = fixture.load(
      {
        executor: "open",
        peakVus,
        endMs: 4_000,
        rate: constant(perSecond!),
      },
      // Every VU waits for a response that comes after a second and a half.
      [fixture.step({ latencyMs: (n) => n >= 5 && n < 25 ? 1_500 : 1 })],
      underCeiling(slots, ceiling),
    );
    await fixture.clock.drive(runOpen(run, slots));
    const { sent } = fixture;
    assert.ok(sent.length > 2 * perSecond!);
    const saved = maxRps! / 10 + 1;
    for (let from = 0; from < sent.length; from += 3) {
      for (let to = from; to < sent.length; to += 5) {
        const most = (sent[to]! - sent[from]!) * maxRps! / 1_000 + saved;
        assert.ok(to - from <= most + 1e-3, `${to - from} of ${most}`);
      }
    }
    // What the target caused counts, what the ceiling held back does not.
    const late = fixture.samples.filter((each) => each.response > 100);
    assert.ok(late.length > perSecond!);
  }
});

Deno.test("runOpen is not held back by a max_rps that is its own rate", async () => {
  for (const rate of [7, 600, 3_000]) {
    const fixture = new VuFixture();
    const slots = new SlotLimiter(fixture.generator);
    const ceiling = maxRpsLimiter(
      { maxRps: rate, executor: "open", peakVus: 1 },
      wholeRunMemory({}),
      fixture.clock,
      fixture.generator,
    );
    const run = fixture.load(
      { executor: "open", peakVus: 50, endMs: 2_000, rate: constant(rate) },
      [fixture.step({ latencyMs: () => 1 })],
      underCeiling(slots, ceiling),
    );
    await fixture.clock.drive(runOpen(run, slots));
    assert.equal(fixture.sent.length, 2 * rate);
    assert.deepEqual(fixture.held, []);
  }
});

Deno.test("runOpen reports slots that could not be served, and does not send them late", async () => {
  const { fixture, unserved } = await play(
    { peakVus: 2, endMs: 1_000, rate: constant(10) },
    { latencyMs: () => 900 },
  );
  assert.deepEqual(fixture.sent.map((at) => fixture.elapsed(at)).slice(0, 2), [
    0,
    100,
  ]);
  assert.equal(fixture.sent.length + unserved, 10);
  assert.ok(fixture.sent.every((at) => fixture.elapsed(at) <= 1_000));
});

Deno.test("runOpen follows the ramp: no more VUs are busy than it has, up and down", async () => {
  const table = [
    { says: "from nothing to eight", from: 0, to: 8, endMs: 1_500 },
    { says: "from eight to two", from: 8, to: 2, endMs: 1_500 },
    { says: "from eight to nothing", from: 8, to: 0, endMs: 1_000 },
  ];
  for (const { says, from, to, endMs } of table) {
    const vus = { from, stages: [{ to, overMs: 1_000 }] };
    const plan = { peakVus: 8, vus, endMs, rate: constant(1_000) };
    const { fixture, unserved } = await play(plan, { latencyMs: () => 20 });
    for (let at = 30; at < endMs; at += 10) {
      const busy = fixture.results.filter(({ startedAt, endedAt }) =>
        fixture.elapsed(startedAt) <= at && at < fixture.elapsed(endedAt)
      ).length;
      // One that was begun when there were more VUs goes on to its end.
      const planned = [at - 20, at].map((when) =>
        vusAt({ ...PLAN, ...plan }, when)
      );
      assert.ok(
        busy >= Math.min(...planned) - 1 && busy <= Math.max(...planned),
        `${says}: ${busy} busy at ${at} ms, planned ${planned}`,
      );
    }
    assert.ok(unserved > 0, `${says}: what could not be served is counted`);
    assert.ok(fixture.elapsed() <= endMs + 20, says);
  }
});

Deno.test("runOpen loses no slot of a spike within a second, and sends each when it is due", async () => {
  const rate = {
    from: 10,
    stages: [
      { to: 10, overMs: 1_000 },
      { to: 5_000, overMs: 500 },
      { to: 10, overMs: 500 },
      { to: 10, overMs: 1_000 },
    ],
  };
  const { fixture, unserved } = await play(
    { peakVus: 200, rate, endMs: 3_000 },
    { latencyMs: () => 5 },
  );
  assert.equal(unserved, 0);
  assert.equal(fixture.sent.length, 10 + 2_505 + 10);
  for (const [from, to] of [[0, 1], [1, 1.5], [1.5, 2], [2, 3]]) {
    const sent = fixture.sent.filter((at) => {
      const elapsed = fixture.elapsed(at) / 1_000;
      return elapsed >= from! && elapsed < to!;
    }).length;
    const planned = unitsBy(rate, to! * 1_000) - unitsBy(rate, from! * 1_000);
    assert.ok(Math.abs(sent - planned) <= 1, `${sent} of ${planned}`);
  }
});

Deno.test("runOpen lets requests of iterations under way have slots after stages that end at 0", async () => {
  const rate = { from: 20, stages: [{ to: 0, overMs: 1_000 }] };
  const retry = {
    on_status: [503],
    backoff: "fixed" as const,
    max_attempts: 2,
    base_delay_us: 0,
  };
  const { fixture, unserved } = await play(
    { peakVus: 20, rate, endMs: 1_000 },
    { statuses: [503], latencyMs: () => 300, facts: { retry } },
  );
  assert.equal(unserved, 0);
  assert.ok(fixture.results.every(({ interrupted }) => !interrupted));
  assert.ok(fixture.elapsed() < 5_000, `${fixture.elapsed()}`);
});

Deno.test("runOpen ends with a ramp to 0 VUs, though iterations are unmet", async () => {
  const vus = { from: 2, stages: [{ to: 0, overMs: 1_000 }] };
  const { fixture } = await play(
    { vus, peakVus: 2, rate: constant(100), endMs: 1_000, iterations: 1_000 },
    { latencyMs: () => 1 },
  );
  assert.ok(fixture.elapsed() <= 1_001);
});

Deno.test("runOpen counts no slot of a warm-up among those it never served", async () => {
  const plan = { peakVus: 1, endMs: 3_000, rate: constant(10) };
  const slow = { latencyMs: () => 10_000 };
  const { unserved } = await play(plan, slow);
  const measured = await play({ ...plan, warmUpMs: 1_000 }, slow);
  assert.deepEqual([unserved, measured.unserved], [29, 20]);
});

Deno.test("runOpen makes retries spend slots", async () => {
  const retry = {
    on_status: [503],
    backoff: "fixed" as const,
    max_attempts: 2,
    base_delay_us: 0,
  };
  const { fixture, unserved } = await play(
    { peakVus: 5, endMs: 1_000, rate: constant(10) },
    { statuses: [503], latencyMs: () => 1, facts: { retry } },
  );
  assert.equal(fixture.results.length, 5);
  assert.equal(fixture.sent.length + unserved, 10);
});

Deno.test("runOpen begins no iteration past its bound", async () => {
  const { fixture } = await play(
    { peakVus: 3, endMs: 1_000, rate: constant(100), iterations: 7 },
    { latencyMs: () => 5 },
  );
  assert.equal(fixture.results.length, 7);
});

Deno.test("runOpen accounts for every slot whose number comes when the plan has ended", async () => {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const run = fixture.load(
    { executor: "open", peakVus: 5, endMs: 100, rate: constant(50) },
    [fixture.step({ latencyMs: () => 1 })],
    limiter,
  );
  let left = 2;
  const nextIteration = async (expected: () => boolean) => {
    if (left-- > 0) return run.nextIteration(expected);
    while (expected()) await fixture.clock.sleep(2);
    return undefined;
  };
  const unserved = await fixture.clock.drive(
    runOpen({ ...run, nextIteration }, limiter),
  );
  assert.equal(fixture.sent.length, 2);
  assert.equal(unserved, 3);
});

Deno.test("runOpen says how late it was itself", async () => {
  const { fixture } = await play(
    { peakVus: 4, endMs: 1_000, rate: constant(30) },
    { latencyMs: () => 1 },
  );
  assert.equal(fixture.late.length, 30);
  assert.ok(fixture.late.every((ms) => ms >= 0 && ms <= 0.1));
  assert.ok(
    fixture.samples.every(({ service, response }) => service === response),
    "its own start lag is no response time",
  );
});
