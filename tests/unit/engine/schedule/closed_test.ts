import assert from "node:assert/strict";
import fc from "fast-check";
import { runClosed } from "../../../../lib/engine/schedule/closed.ts";
import { CONTROL_MS } from "../../../../lib/engine/schedule/load_run.ts";
import { vusAt } from "../../../../lib/engine/plan/ramp.ts";
import { Stage } from "../vu/stage.ts";

Deno.test("runClosed meets `iterations` exactly, whatever the latencies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1 }),
      async (peakVus, iterations, latencies) => {
        const stage = new Stage();
        const latencyMs = (number: number) =>
          latencies[number % latencies.length]!;
        const run = stage.load({ peakVus, iterations }, [
          stage.step({ latencyMs }),
        ]);
        await stage.clock.drive(runClosed(run));
        const numbers = stage.results.map((each) => each.iteration);
        numbers.sort((a, b) => a - b);
        assert.deepEqual(
          numbers,
          Array.from({ length: iterations }, (_, i) => i),
        );
        assert.ok(stage.results.every((each) => !each.interrupted));
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("runClosed follows the ramp up, and down to where it ends", async () => {
  const table = [
    { says: "from nothing to ten", from: 0, to: 10 },
    { says: "from ten to two", from: 10, to: 2 },
  ];
  for (const { says, from, to } of table) {
    const stage = new Stage();
    const ramp = { from, to, overMs: 2_000 };
    const plan = { ramp, peakVus: 10, holdMs: 1_000 };
    const run = stage.load(plan, [stage.step({ latencyMs: () => 20 })]);
    await stage.clock.drive(runClosed(run));
    const levels = [];
    for (let at = 100; at < 2_900; at += 100) {
      const live = stage.results.filter(({ startedAt, endedAt }) =>
        stage.elapsed(startedAt) <= at && at < stage.elapsed(endedAt)
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

Deno.test("runClosed ends with a ramp to 0 VUs, though iterations are unmet", async () => {
  const stage = new Stage();
  const ramp = { from: 2, to: 0, overMs: 1_000 };
  const run = stage.load({ ramp, peakVus: 2, iterations: 1_000 }, [
    stage.step({ latencyMs: () => 20 }),
  ]);
  await stage.clock.drive(runClosed(run));
  assert.ok(stage.elapsed() <= 1_000 + CONTROL_MS);
  assert.ok(stage.results.length > 0 && stage.results.length < 1_000);
});

Deno.test("runClosed begins nothing after its hold, and lets what is under way finish", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 3, holdMs: 1_000 }, [
    stage.step({ latencyMs: () => 300 }),
  ]);
  await stage.clock.drive(runClosed(run));
  assert.ok(stage.begun.every((at) => stage.elapsed(at) < 1_000));
  assert.equal(stage.elapsed(), 1_200);
  assert.equal(stage.results.length, 12);
  assert.ok(stage.results.every((each) => !each.interrupted));
});

Deno.test("runClosed cuts off what outlasts the grace period, and counts it in no sample", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 2, holdMs: 100 }, [
    stage.step({ latencyMs: () => 60_000 }),
  ]);
  await stage.clock.drive(runClosed(run));
  assert.equal(stage.elapsed(), 100 + run.plan.graceMs);
  assert.deepEqual(stage.results.map((each) => each.interrupted), [true, true]);
  assert.deepEqual(stage.samples, []);
});

Deno.test("runClosed begins nothing after a soft stop", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 2, holdMs: 10_000 }, [
    stage.step({ latencyMs: () => 100 }),
  ]);
  const stopping = stage.clock.sleep(450).then(() =>
    stage.stop.soft("interrupted", "")
  );
  await stage.clock.drive(Promise.all([runClosed(run), stopping]));
  assert.equal(stage.results.length, 10);
  assert.ok(stage.elapsed() <= 500 + CONTROL_MS);
});

Deno.test("runClosed ends when a dry pool says that the run ends", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 2, holdMs: 10_000 }, [stage.step()]);
  let left = 5;
  const nextDraw = (vu: number) => left-- > 0 ? run.nextDraw(vu) : undefined;
  await stage.clock.drive(runClosed({ ...run, nextDraw }));
  assert.equal(stage.results.length, 5);
  assert.ok(stage.elapsed() < 1_000);
});

Deno.test("runClosed ends with a fault of the program, after the iterations under way", async () => {
  const stage = new Stage();
  const faulty = stage.step({
    latencyMs(number) {
      if (number === 2) throw new TypeError("a fault");
      return 100;
    },
  });
  const local = { ...faulty, exchanges: false };
  const run = stage.load({ peakVus: 3, holdMs: 10_000 }, [local]);
  await assert.rejects(stage.clock.drive(runClosed(run)), /a fault/);
  assert.equal(stage.results.length, 2);
  assert.ok(stage.elapsed() < 1_000);
});
