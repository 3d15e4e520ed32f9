import assert from "node:assert/strict";
import fc from "fast-check";
import {
  slotDueAt,
  slotsDue,
  threadShard,
  vuOf,
  vusIn,
} from "../../../../lib/engine/plan/shard.ts";

const rate = fc.double({ min: 0.1, max: 20_000, noNaN: true });
const count = fc.integer({ min: 1, max: 8 });

Deno.test("slotsDue over all shards is what one thread would have had", () => {
  fc.assert(fc.property(
    rate,
    count,
    fc.double({ min: 0, max: 60_000, noNaN: true }),
    (perSecond, count, elapsed) => {
      const whole = slotsDue(
        { index: 0, count: 1 },
        perSecond,
        elapsed,
        50_000,
      );
      let sum = 0;
      for (let index = 0; index < count; index++) {
        sum += slotsDue({ index, count }, perSecond, elapsed, 50_000);
      }
      assert.equal(sum, whole);
    },
  ));
});

Deno.test("slotsDue never shrinks, and never hands out a slot before it is due", () => {
  fc.assert(fc.property(
    rate,
    count,
    fc.array(fc.double({ min: 0, max: 10_000, noNaN: true })),
    (perSecond, count, times) => {
      const shard = { index: count - 1, count };
      let before = 0;
      for (const elapsed of times.sort((a, b) => a - b)) {
        const due = slotsDue(shard, perSecond, elapsed, Infinity);
        assert.ok(due >= before);
        if (due > 0) {
          const last = slotDueAt(shard, perSecond, due - 1);
          assert.ok(last <= elapsed + 1e-6, `${last} is after ${elapsed}`);
        }
        before = due;
      }
    },
  ));
});

Deno.test("slotsDue has no slot at the end or after it", () => {
  const table = [
    { perSecond: 10, endMs: 1_000, slots: 10 },
    { perSecond: 10, endMs: 999, slots: 10 },
    { perSecond: 10, endMs: 901, slots: 10 },
    { perSecond: 10, endMs: 900, slots: 9 },
    { perSecond: 0.5, endMs: 1_000, slots: 1 },
    { perSecond: 1 / 3, endMs: 9_000, slots: 3 },
  ];
  for (const { perSecond, endMs, slots } of table) {
    const due = slotsDue({ index: 0, count: 1 }, perSecond, 60_000, endMs);
    assert.equal(due, slots, `${perSecond}/s until ${endMs} ms`);
  }
});

Deno.test("vuOf gives every VU to exactly one shard", () => {
  fc.assert(fc.property(count, fc.nat(100), (count, each) => {
    const ids = Array.from(
      { length: count * each },
      (_, n) => vuOf({ index: n % count, count }, Math.floor(n / count)),
    );
    assert.deepEqual(ids, Array.from({ length: count * each }, (_, n) => n));
  }));
});

Deno.test("threadShard: every VU and every slot is one thread's, though processes have different numbers of threads", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 300 }),
    rate,
    (processes, vus, perSecond) => {
      const shards = processes.flatMap((threads, index) =>
        Array.from(
          { length: threads },
          (_, thread) =>
            threadShard({ index, count: processes.length }, thread, threads),
        )
      );
      const ids = shards.flatMap((shard) =>
        Array.from({ length: vusIn(shard, vus) }, (_, nth) => vuOf(shard, nth))
      );
      assert.deepEqual(
        ids.sort((a, b) => a - b),
        Array.from({ length: vus }, (_, id) => id),
      );
      const whole = slotsDue({ index: 0, count: 1 }, perSecond, 900, 1_000);
      const slots = shards.reduce(
        (sum, shard) => sum + slotsDue(shard, perSecond, 900, 1_000),
        0,
      );
      assert.equal(slots, whole);
    },
  ));
});
