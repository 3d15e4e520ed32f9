import assert from "node:assert/strict";
import fc from "fast-check";
import { runClosed } from "../../../../lib/engine/schedule/closed.ts";
import { CONTROL_MS } from "../../../../lib/engine/schedule/load_run.ts";
import { vusAt } from "../../../../lib/model/course.ts";
import { VuFixture } from "../vu/vu_fixture.ts";

Deno.test("runClosed meets `iterations` exactly, whatever the latencies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1 }),
      async (peakVus, iterations, latencies) => {
        const fixture = new VuFixture();
        const latencyMs = (number: number) =>
          latencies[number % latencies.length]!;
        const run = fixture.load({ peakVus, iterations }, [
          fixture.step({ latencyMs }),
        ]);
        await fixture.clock.drive(runClosed(run));
        const numbers = fixture.results.map((each) => each.iteration);
        numbers.sort((a, b) => a - b);
        assert.deepEqual(
          numbers,
          Array.from({ length: iterations }, (_, i) => i),
        );
        assert.ok(fixture.results.every((each) => !each.interrupted));
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("runClosed lets the last iterations of its bound take longer than the grace period", async () => {
  const fixture = new VuFixture();
  const plan = { peakVus: 2, iterations: 3, graceMs: 100 };
  const latencyMs = (number: number) => number === 1 ? 5_000 : 10;
  const run = fixture.load(plan, [fixture.step({ latencyMs })]);
  await fixture.clock.drive(runClosed(run));
  const interrupted = fixture.results.map((each) => each.interrupted);
  assert.deepEqual(interrupted, [false, false, false]);
});

Deno.test("runClosed begins no iteration before the agreed start of all threads", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 2, iterations: 4 }, [
    fixture.step({ latencyMs: () => 10 }),
  ]);
  const startedAt = fixture.clock.now() + 5;
  await fixture.clock.drive(runClosed({ ...run, startedAt }));
  const begun = fixture.results.map((each) => each.startedAt - startedAt);
  assert.deepEqual(begun, [0, 0, 10, 10]);
});

Deno.test("runClosed follows the ramp up, and down to where it ends", async () => {
  const table = [
    { says: "from nothing to ten", from: 0, to: 10 },
    { says: "from ten to two", from: 10, to: 2 },
  ];
  for (const { says, from, to } of table) {
    const fixture = new VuFixture();
    const vus = { from, stages: [{ to, overMs: 2_000 }] };
    const plan = { vus, peakVus: 10, endMs: 3_000 };
    const run = fixture.load(plan, [fixture.step({ latencyMs: () => 20 })]);
    await fixture.clock.drive(runClosed(run));
    const levels = [];
    for (let at = 100; at < 2_900; at += 100) {
      const live = fixture.results.filter(({ startedAt, endedAt }) =>
        fixture.elapsed(startedAt) <= at && at < fixture.elapsed(endedAt)
      ).length;
      const plans = [at - CONTROL_MS - 20, at].map((when) =>
        vusAt(run.plan, when)
      );
      levels.push({ at, live, plans });
    }
    for (const { at, live, plans } of levels) {
      assert.ok(
        live >= Math.min(...plans) && live <= Math.max(...plans),
        `${says}: ${live} VUs at ${at} ms, planned ${plans}`,
      );
    }
  }
});

Deno.test("runClosed has as many VUs as stages say at every moment, down to none and up again, over 1, 3 and 8 shards", async () => {
  const vus = {
    from: 0,
    stages: [
      { to: 12, overMs: 0 },
      { to: 12, overMs: 500 },
      { to: 3, overMs: 600 },
      { to: 0, overMs: 0 },
      { to: 0, overMs: 400 },
      { to: 20, overMs: 1_000 },
      { to: 0, overMs: 1_000 },
    ],
  };
  for (const count of [1, 3, 8]) {
    const fixture = new VuFixture();
    const plan = { vus, peakVus: 20, endMs: 3_500 };
    const run = fixture.load(plan, [fixture.step({ latencyMs: () => 10 })]);
    const shards = Array.from(
      { length: count },
      (_, index) => runClosed({ ...run, shard: { index, count } }),
    );
    await fixture.clock.drive(Promise.all(shards));
    for (let at = 11; at < 3_500; at += 13) {
      const live = fixture.results.filter(({ startedAt, endedAt }) =>
        fixture.elapsed(startedAt) <= at && at < fixture.elapsed(endedAt)
      ).length;
      const plans = [at - 11, at].map((when) =>
        vusAt(run.plan, when)
      );
      assert.ok(
        live >= Math.min(...plans) && live <= Math.max(...plans),
        `${count} shards: ${live} VUs at ${at} ms, planned ${plans}`,
      );
    }
  }
});

Deno.test("runClosed begins each VU of a ramp when it is due, not in clumps", async () => {
  const fixture = new VuFixture();
  const vus = { from: 0, stages: [{ to: 20, overMs: 1_000 }] };
  const run = fixture.load({ vus, peakVus: 20, iterations: 20 }, [
    fixture.step({ latencyMs: () => 5_000 }),
  ]);
  await fixture.clock.drive(runClosed(run));
  const begun = fixture.begun.map((at) => Math.round(fixture.elapsed(at)));
  assert.deepEqual(begun, Array.from({ length: 20 }, (_, vu) => 25 + vu * 50));
});

Deno.test("runClosed ends with a ramp to 0 VUs, though iterations are unmet", async () => {
  const fixture = new VuFixture();
  const vus = { from: 2, stages: [{ to: 0, overMs: 1_000 }] };
  const plan = { vus, peakVus: 2, endMs: 1_000, iterations: 1_000 };
  const run = fixture.load(plan, [
    fixture.step({ latencyMs: () => 20 }),
  ]);
  await fixture.clock.drive(runClosed(run));
  assert.ok(fixture.elapsed() <= 1_000 + CONTROL_MS);
  assert.ok(fixture.results.length > 0 && fixture.results.length < 1_000);
});

Deno.test("runClosed begins nothing after its hold, and lets what is under way finish", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 3, endMs: 1_000 }, [
    fixture.step({ latencyMs: () => 300 }),
  ]);
  await fixture.clock.drive(runClosed(run));
  assert.ok(fixture.begun.every((at) => fixture.elapsed(at) < 1_000));
  assert.equal(fixture.elapsed(), 1_200);
  assert.equal(fixture.results.length, 12);
  assert.ok(fixture.results.every((each) => !each.interrupted));
});

Deno.test("runClosed cuts off what outlasts the grace period, and counts it in no sample", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 2, endMs: 100 }, [
    fixture.step({ latencyMs: () => 60_000 }),
  ]);
  await fixture.clock.drive(runClosed(run));
  assert.equal(fixture.elapsed(), 100 + run.plan.graceMs);
  assert.deepEqual(fixture.results.map((each) => each.interrupted), [
    true,
    true,
  ]);
  assert.deepEqual(fixture.samples, []);
});

Deno.test("runClosed begins nothing after a soft stop", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 2, endMs: 10_000 }, [
    fixture.step({ latencyMs: () => 100 }),
  ]);
  const stopping = fixture.clock.sleep(450).then(() =>
    fixture.stop.soft("interrupted", "")
  );
  await fixture.clock.drive(Promise.all([runClosed(run), stopping]));
  assert.equal(fixture.results.length, 10);
  assert.ok(fixture.elapsed() <= 500 + CONTROL_MS);
});

Deno.test("runClosed ends when a dry pool says that the run ends", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 2, endMs: 10_000 }, [fixture.step()]);
  let left = 5;
  const nextIteration = (expected: () => boolean) =>
    left-- > 0 ? run.nextIteration(expected) : undefined;
  await fixture.clock.drive(runClosed({ ...run, nextIteration }));
  assert.equal(fixture.results.length, 5);
  assert.ok(fixture.elapsed() < 1_000);
});

Deno.test("runClosed ends with a fault of the program, after the iterations under way", async () => {
  const fixture = new VuFixture();
  const faulty = fixture.step({
    latencyMs(number) {
      if (number === 2) throw new TypeError("a fault");
      return 100;
    },
  });
  const local = { ...faulty, exchanges: false };
  const run = fixture.load({ peakVus: 3, endMs: 10_000 }, [local]);
  await assert.rejects(fixture.clock.drive(runClosed(run)), /a fault/);
  assert.equal(fixture.results.length, 2);
  assert.ok(fixture.elapsed() < 1_000);
});
