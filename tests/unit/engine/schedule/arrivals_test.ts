import assert from "node:assert/strict";
import fc from "fast-check";
import { Arrivals } from "../../../../lib/engine/schedule/open.ts";
import {
  constant,
  type Course,
  levelAt,
  unitsBy,
  vusAt,
} from "../../../../lib/model/course.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { PLAN } from "../vu/vu_fixture.ts";
import { type Shard, WHOLE } from "../../../../lib/engine/plan/shard.ts";

const OPEN: RunPlan = { ...PLAN, executor: "open", rate: constant(100) };
const POISSON: RunPlan = { ...OPEN, arrivals: "poisson" };

function times(plan: RunPlan, count: number, shard: Shard = WHOLE): number[] {
  const arrivals = new Arrivals(plan, shard);
  return Array.from({ length: count }, () => arrivals.take()!);
}

function gaps(each: readonly number[]): number[] {
  return each.slice(1).map((time, i) => time - each[i]!);
}

Deno.test("Arrivals: constant arrivals are due at k / rate", () => {
  assert.deepEqual(times(OPEN, 4), [0, 10, 20, 30]);
});

Deno.test("Arrivals: Poisson arrivals have the rate, and gaps that differ as those of an exponential distribution", () => {
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

Deno.test("Arrivals: Poisson arrivals are the same for the same seed, whatever the number of shards", () => {
  const whole = times(POISSON, 300);
  const parts = [0, 1, 2].map((index) =>
    times(POISSON, 100, { index, count: 3 })
  );
  const together = parts.flat().toSorted((a, b) => a - b);
  assert.deepEqual(together.map(Math.round), whole.map(Math.round));
  assert.notDeepEqual(times({ ...POISSON, seed: 2 }, 3), times(POISSON, 3));
});

Deno.test("Arrivals: Poisson arrivals of 64 shards are those of one, to the microsecond", () => {
  const whole = times(POISSON, 64 * 40);
  const parts = Array.from(
    { length: 64 },
    (_, index) => times(POISSON, 40, { index, count: 64 }),
  );
  for (const [slot, due] of whole.entries()) {
    const own = parts[slot % 64]![Math.floor(slot / 64)]!;
    assert.ok(Math.abs(own - due) < 0.001, `${slot}: ${own} ${due}`);
  }
});

Deno.test("Arrivals: a slot is due when its moment is reached, and none is at the end", () => {
  for (const plan of [OPEN, POISSON, { ...OPEN, side: 1 } as const]) {
    const arrivals = new Arrivals(plan, WHOLE);
    arrivals.take();
    const { next } = arrivals;
    assert.equal(arrivals.isDue(next - 1, Infinity), false);
    assert.equal(arrivals.isDue(next + 0.001, Infinity), true);
    assert.equal(arrivals.isDue(next + 0.001, next), false);
  }
});

Deno.test("Arrivals: two sides are never due at once, and lead in turns of a second: first, second, second, first", () => {
  const [a, b] = ([0, 1] as const).map((side) => times({ ...OPEN, side }, 800));
  const behind = a!.map((time, i) => Math.round(b![i]! - time));
  for (const [second, gap] of [5, -5, -5, 5, 5, -5, -5, 5].entries()) {
    const slots = behind.slice(second * 100, (second + 1) * 100);
    assert.deepEqual([...new Set(slots)], [gap], `second ${second}`);
  }
  const slow = times({ ...OPEN, rate: constant(0.5), side: 1 }, 3);
  assert.deepEqual(slow, [500, 2_000, 4_500]);
});

Deno.test("Arrivals: every slot of a side is due before the end of a whole second", () => {
  for (const side of [0, 1] as const) {
    const arrivals = new Arrivals({ ...OPEN, side }, WHOLE);
    let taken = 0;
    while (arrivals.isDue(3_000, 3_000)) {
      assert.ok(arrivals.take()! < 3_000);
      taken++;
    }
    assert.equal(taken, 300);
  }
});

/** Slots by moment, of all shards together. */
function together(plan: RunPlan, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => {
    const arrivals = new Arrivals(plan, { index, count });
    const due: number[] = [];
    while (arrivals.isDue(Infinity, plan.endMs!)) {
      const own = arrivals.take();
      if (own !== undefined) due.push(own);
    }
    return due;
  });
  return all.flat().toSorted((a, b) => a - b);
}

const level = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }));
const courses = fc.record({
  from: level,
  stages: fc.array(
    fc.record({ to: level, overMs: fc.integer({ min: 0, max: 2_000 }) }),
    { minLength: 1, maxLength: 5 },
  ),
}).filter(({ from, stages }) =>
  from + Math.max(...stages.map((s) => s.to)) > 0
);

/** Units of a course by a sum of short steps, apart from the code under test. */
function slowly(course: Course, untilMs: number): number {
  const step = 0.25;
  let units = 0;
  for (let at = 0; at < untilMs; at += step) {
    units += levelAt(course, at + step / 2) * step / 1_000;
  }
  return units;
}

Deno.test("Arrivals: a course has as many slots by any moment as its integral says, and 3 and 8 shards have the same ones", () => {
  fc.assert(
    fc.property(courses, (rate) => {
      const endMs = rate.stages.reduce((sum, { overMs }) => sum + overMs, 0);
      const plan = { ...OPEN, rate, endMs };
      const one = together(plan, 1);
      assert.deepEqual(together(plan, 3), one);
      assert.deepEqual(together(plan, 8), one);
      assert.equal(one.length, Math.ceil(unitsBy(rate, endMs)));
      for (let at = 0; at <= endMs; at += 333) {
        const due = one.filter((each) => each < at).length;
        const planned = slowly(rate, at);
        assert.ok(Math.abs(due - planned) < 1.2, `${due} ${planned} at ${at}`);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("Arrivals: nothing is due while the rate is 0, and requests under way still get slots after a course that ends there", () => {
  const rate = {
    from: 0,
    stages: [
      { to: 0, overMs: 500 },
      { to: 100, overMs: 0 },
      { to: 100, overMs: 1_000 },
      { to: 0, overMs: 0 },
      { to: 0, overMs: 700 },
      { to: 100, overMs: 0 },
      { to: 0, overMs: 200 },
    ],
  };
  const plan = { ...OPEN, rate, endMs: 2_400 };
  const due = together(plan, 3);
  assert.equal(due.length, 110);
  assert.ok(due.every((at) => at >= 500 && (at < 1_500 || at >= 2_200)));
  assert.deepEqual(times(plan, 113).slice(-3), [2_400, 2_410, 2_420]);
});

Deno.test("Arrivals: Poisson arrivals follow a course, the same for any number of shards", () => {
  const rate = { from: 0, stages: [{ to: 2_000, overMs: 20_000 }] };
  const plan = { ...POISSON, rate, endMs: 20_000 };
  const one = together(plan, 1);
  assert.deepEqual(together(plan, 3).length, one.length);
  for (const [from, to] of [[0, 5_000], [5_000, 15_000], [15_000, 20_000]]) {
    const due = one.filter((at) => at >= from! && at < to!).length;
    const planned = unitsBy(rate, to!) - unitsBy(rate, from!);
    assert.ok(Math.abs(due - planned) < 4 * Math.sqrt(planned), `${due}`);
  }
});

Deno.test("Arrivals: while VUs come and go every slot is one of a shard that has them", () => {
  const ramps = [[1, 8], [8, 1], [0, 3], [3, 0]] as const;
  for (const [from, to] of ramps) {
    const vus = { from, stages: [{ to, overMs: 6_000 }] };
    const plan = { ...OPEN, peakVus: 8, vus, endMs: 6_000 };
    assert.equal(together(plan, 8).length, 600);
    for (let index = 1; index < 8; index++) {
      const arrivals = new Arrivals(plan, { index, count: 8 });
      while (arrivals.isDue(Infinity, 6_000)) {
        const due = arrivals.take();
        assert.ok(due === undefined || vusAt(plan, due) > index);
      }
    }
  }
});

Deno.test("Arrivals: seeds that differ by 2^32 are two seeds", () => {
  const other = times({ ...POISSON, seed: POISSON.seed + 2 ** 32 }, 4);
  assert.notDeepEqual(other, times(POISSON, 4));
});
