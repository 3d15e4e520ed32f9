import { deepStrictEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { Sleepers } from "../../../../lib/base/time/sleepers.ts";

Deno.test("Sleepers gives out whoever wakes first, whatever the order they came in", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
    const sleepers = new Sleepers();
    for (const at of times) {
      sleepers.add({ at, signal: undefined, awake: false, wake() {} });
      const known = times.slice(0, times.indexOf(at) + 1);
      equal(sleepers.first!.at <= Math.min(...known), true);
    }
    const taken = times.map(() => sleepers.take()!.at);
    deepStrictEqual(taken, times.toSorted((a, b) => a - b));
    equal(sleepers.take(), undefined);
  }));
});
