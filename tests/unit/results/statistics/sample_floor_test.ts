import assert from "node:assert/strict";
import { leastSamples } from "../../../../lib/results/statistics/sample_floor.ts";

Deno.test("leastSamples are the floors of MLPerf's LoadGen, and 10 for the median", () => {
  assert.deepEqual(
    [50, 90, 95, 99, 99.9].map(leastSamples),
    [10, 64, 130, 662, 6_636],
  );
});

Deno.test("leastSamples of a low percentile are those of the high one", () => {
  assert.deepEqual(
    [1, 5, 40].map(leastSamples),
    [99, 95, 60].map(leastSamples),
  );
});

Deno.test("leastSamples grow away from the median", () => {
  const floors = Array.from({ length: 50 }, (_, i) => leastSamples(50 + i));
  assert.deepEqual(floors, floors.toSorted((a, b) => a - b));
});
