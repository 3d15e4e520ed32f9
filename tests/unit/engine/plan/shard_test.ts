import assert from "node:assert/strict";
import fc from "fast-check";
import { threadShard, vuOf, vusIn } from "../../../../lib/engine/plan/shard.ts";

const count = fc.integer({ min: 1, max: 8 });

Deno.test("vuOf gives every VU to exactly one shard", () => {
  fc.assert(fc.property(count, fc.nat(100), (count, each) => {
    const ids = Array.from(
      { length: count * each },
      (_, n) => vuOf({ index: n % count, count }, Math.floor(n / count)),
    );
    assert.deepEqual(ids, Array.from({ length: count * each }, (_, n) => n));
  }));
});

Deno.test("threadShard: every VU is one thread's, though processes have different numbers of threads", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 300 }),
    (processes, vus) => {
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
    },
  ));
});
