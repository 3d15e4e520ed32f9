import assert from "node:assert/strict";
import { arrivalsOf } from "../../../../lib/engine/schedule/open.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { type Shard, WHOLE } from "../../../../lib/engine/plan/shard.ts";

const PLAN: RunPlan = {
  mode: "load",
  executor: "open",
  seed: 1,
  peakVus: 1,
  arrivalPerSecond: 100,
  requestTimeoutMs: 1_000,
  graceMs: 0,
};
const POISSON: RunPlan = { ...PLAN, arrivals: "poisson" };

function times(plan: RunPlan, count: number, shard: Shard = WHOLE): number[] {
  const arrivals = arrivalsOf(plan, shard);
  return Array.from({ length: count }, () => arrivals.take());
}

function gaps(each: readonly number[]): number[] {
  return each.slice(1).map((time, i) => time - each[i]!);
}

Deno.test("arrivalsOf: constant arrivals are due at k / rate", () => {
  assert.deepEqual(times(PLAN, 4), [0, 10, 20, 30]);
});

Deno.test("arrivalsOf: Poisson arrivals have the rate, and gaps that differ as those of an exponential distribution", () => {
  const all = times(POISSON, 20_000);
  const mean = all.at(-1)! / all.length;
  assert.ok(Math.abs(mean - 10) < 0.2, `${mean}`);
  const between = gaps(all);
  const share = (ms: number) =>
    between.filter((gap) => gap > ms).length / between.length;
  for (const ms of [1, 10, 30]) {
    assert.ok(Math.abs(share(ms) - Math.exp(-ms / 10)) < 0.01, `${ms}`);
  }
});

Deno.test("arrivalsOf: Poisson arrivals are the same for the same seed, whatever the number of shards", () => {
  const whole = times(POISSON, 300);
  const parts = [0, 1, 2].map((index) =>
    times(POISSON, 100, { index, count: 3 })
  );
  const together = parts.flat().toSorted((a, b) => a - b);
  assert.deepEqual(together.map(Math.round), whole.map(Math.round));
  assert.notDeepEqual(times({ ...POISSON, seed: 2 }, 3), times(POISSON, 3));
});

Deno.test("arrivalsOf: a slot is due when its moment is reached, and none is at the end", () => {
  for (const plan of [PLAN, POISSON, { ...PLAN, side: 1 } as const]) {
    const arrivals = arrivalsOf(plan, WHOLE);
    arrivals.take();
    const { next } = arrivals;
    assert.equal(arrivals.isDue(next - 1, Infinity), false);
    assert.equal(arrivals.isDue(next + 0.001, Infinity), true);
    assert.equal(arrivals.isDue(next + 0.001, next), false);
  }
});

Deno.test("arrivalsOf: two sides are never due at once, and lead in turns of a second: first, second, second, first", () => {
  const [a, b] = ([0, 1] as const).map((side) => times({ ...PLAN, side }, 800));
  const behind = a!.map((time, i) => Math.round(b![i]! - time));
  for (const [second, gap] of [5, -5, -5, 5, 5, -5, -5, 5].entries()) {
    const slots = behind.slice(second * 100, (second + 1) * 100);
    assert.deepEqual([...new Set(slots)], [gap], `second ${second}`);
  }
  const slow = times({ ...PLAN, arrivalPerSecond: 0.5, side: 1 }, 3);
  assert.deepEqual(slow, [500, 2_000, 4_500]);
});

Deno.test("arrivalsOf: every slot of a side is due before the end of a whole second", () => {
  for (const side of [0, 1] as const) {
    const arrivals = arrivalsOf({ ...PLAN, side }, WHOLE);
    let taken = 0;
    while (arrivals.isDue(3_000, 3_000)) {
      assert.ok(arrivals.take() < 3_000);
      taken++;
    }
    assert.equal(taken, 300);
  }
});
