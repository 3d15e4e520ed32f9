import assert from "node:assert/strict";
import fc from "fast-check";
import {
  constant,
  type Course,
  DueTimes,
  hasFallen,
  isHighest,
  levelAt,
  nextVusIn,
  reachedAt,
  settledMs,
  steadiest,
  steadyParts,
  unitsBy,
  vusAt,
} from "../../../lib/model/course.ts";

const UP: Course = { from: 0, stages: [{ to: 10, overMs: 1_000 }] };
const DOWN: Course = { from: 10, stages: [{ to: 2, overMs: 1_000 }] };
const SPIKE: Course = {
  from: 0,
  stages: [
    { to: 4, overMs: 0 },
    { to: 4, overMs: 1_000 },
    { to: 20, overMs: 0 },
    { to: 20, overMs: 500 },
    { to: 0, overMs: 1_000 },
  ],
};

const level = fc.integer({ min: 0, max: 60 });
const stages = fc.array(
  fc.record({ to: level, overMs: fc.integer({ min: 0, max: 3_000 }) }),
  { maxLength: 6 },
);
/** No level is left at the moment it is jumped to. */
const courses: fc.Arbitrary<Course> = fc.record({
  from: level,
  stages: stages.filter((all) =>
    all.every(({ overMs }, i) => overMs > 0 || all[i + 1]?.overMs !== 0)
  ),
});

Deno.test("vusAt goes straight from level to level, jumps where a stage takes no time, and stays at the last one", () => {
  const table: [vus: Course | undefined, at: number, vus: number][] = [
    [undefined, 0, 7],
    [undefined, 1e9, 7],
    [UP, -5, 0],
    [UP, 0, 0],
    [UP, 49, 0],
    [UP, 50, 1],
    [UP, 500, 5],
    [UP, 1_000, 10],
    [UP, Infinity, 10],
    [DOWN, 0, 10],
    [DOWN, 500, 6],
    [DOWN, 1_000, 2],
    [SPIKE, 0, 4],
    [SPIKE, 999, 4],
    [SPIKE, 1_000, 20],
    [SPIKE, 1_500, 20],
    [SPIKE, 2_000, 10],
    [SPIKE, 2_500, 0],
  ];
  for (const [vus, at, level] of table) {
    const plan = { peakVus: 7, ...(vus && { vus }) };
    assert.equal(vusAt(plan, at), level, `${JSON.stringify(vus)} at ${at}`);
  }
});

Deno.test("nextVusIn says when the number of VUs changes, to the microsecond, and misses no change", () => {
  fc.assert(fc.property(courses, (vus) => {
    const plan = { vus, peakVus: 60 };
    const seen = [vusAt(plan, 0)];
    let at = 0;
    for (let next; (next = nextVusIn(plan, at)) !== Infinity; at += next) {
      assert.equal(
        vusAt(plan, at + Math.max(0, next - 0.002)),
        vusAt(plan, at),
      );
      seen.push(vusAt(plan, at + next));
    }
    for (let ms = at + 1; ms < at + 20_000; ms += 97) {
      assert.equal(vusAt(plan, ms), seen.at(-1));
    }
    assert.ok(seen.every((each, i) => i === 0 || each !== seen[i - 1]));
  }));
  assert.equal(nextVusIn({ peakVus: 3 }, 0), Infinity);
});

Deno.test("reachedAt is the first moment with so many VUs; hasFallen whether there were more before", () => {
  assert.equal(reachedAt(SPIKE, 4), 0);
  assert.equal(reachedAt(SPIKE, 5), 1_000);
  assert.equal(reachedAt(SPIKE, 21), Infinity);
  assert.equal(reachedAt(UP, 1), 50);
  assert.deepEqual([0, 1_499, 1_501].map((at) => hasFallen(SPIKE, at)), [
    false,
    false,
    true,
  ]);
  fc.assert(fc.property(courses, level, (vus, level) => {
    const at = reachedAt(vus, level);
    if (at === Infinity) {
      assert.ok(vus.from < level && vus.stages.every(({ to }) => to < level));
    } else if (at > 0) assert.ok(levelAt(vus, at) >= level - 0.5 - 1e-9);
  }));
});

Deno.test("DueTimes: the integral of a rate up to the moment of a unit is that unit", () => {
  const rates = courses.filter(({ from, stages }) =>
    from > 0 || stages.some(({ to }) => to > 0)
  );
  fc.assert(fc.property(rates, (rate) => {
    const times = new DueTimes(rate);
    const endMs = rate.stages.reduce((sum, { overMs }) => sum + overMs, 0);
    let before = 0;
    for (let unit = 0; unit < 300; unit++) {
      const at = times.at(unit);
      assert.ok(at >= before, `${at} is before ${before}`);
      before = at;
      if (at > endMs) break;
      assert.ok(Math.abs(unitsBy(rate, at) - unit) < 1e-4, `${unit} at ${at}`);
    }
  }));
});

Deno.test("DueTimes: a rate that is constant has unit k at k / rate, to the last digit", () => {
  const times = new DueTimes(constant(12));
  for (let unit = 0; unit < 1_000; unit++) {
    assert.equal(times.at(unit), unit * 1_000 / 12);
  }
});

Deno.test("steadyParts, steadiest and settledMs: where a load stays at one level, after its warm-up", () => {
  const parts = (load: Parameters<typeof steadyParts>[0]) =>
    steadyParts(load, 3_000).map(({ fromMs, toMs }) => [fromMs, toMs]);
  assert.deepEqual(parts({}), [[0, 3_000]]);
  assert.deepEqual(parts({ rate: constant(5), vus: UP }), [[1_000, 3_000]]);
  assert.deepEqual(parts({ vus: SPIKE }), [[0, 1_000], [1_000, 1_500], [
    2_500,
    3_000,
  ]]);
  assert.deepEqual(parts({ vus: SPIKE, warmUpMs: 600 }), [[0, 400], [
    400,
    900,
  ], [1_900, 3_000]]);
  assert.deepEqual(steadiest({ vus: SPIKE }, 2_500), {
    fromMs: 0,
    toMs: 1_000,
  });
  assert.deepEqual(steadiest({ vus: UP }, 900), { fromMs: 0, toMs: 900 });
  assert.deepEqual(
    [{}, { vus: UP }, { vus: SPIKE }, { vus: SPIKE, warmUpMs: 600 }]
      .map(settledMs),
    [0, 1_000, 2_500, 1_900],
  );
});

Deno.test("isHighest: a part that is below what was before is not", () => {
  const seconds = [0, 1_000, 1_500, 2_000];
  assert.deepEqual(
    seconds.map((from) => isHighest(SPIKE, from, from + 500)),
    [true, true, true, false],
  );
});

Deno.test("isHighest: the second that begins with a jump down is not", () => {
  const hold = (to: number) => [{ to, overMs: 0 }, { to, overMs: 2_000 }];
  const steps = { from: 0, stages: [...hold(5), ...hold(20), ...hold(2)] };
  assert.deepEqual(
    [0, 1_000, 2_000, 3_000, 4_000, 5_000].map((from) =>
      isHighest(steps, from, from + 1_000)
    ),
    [true, true, true, true, false, false],
  );
});
