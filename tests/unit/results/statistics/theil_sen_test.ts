import assert from "node:assert/strict";
import { theilSen } from "../../../../lib/results/statistics/drift.ts";

const line = (slope: number, count: number) =>
  Array.from({ length: count }, (_, x) => ({ x, y: 3 + slope * x }));

Deno.test("theilSen gives the slope of a line, with bounds that are the slope", () => {
  const found = theilSen(line(0.5, 30))!;
  assert.deepEqual(found, { slope: 0.5, low: 0.5, high: 0.5, intercept: 3 });
});

// Expected values: scipy.stats.theilslopes(y, x, 0.95, method="separate").
Deno.test("theilSen of independent points agrees with scipy", () => {
  const y = [1, 0.2, 3.1, 2, 5.3, 4, 7.2, 6.1, 9, 8.4, 11, 10.2];
  const found = theilSen(y.map((each, x) => ({ x, y: each })))!;
  const round = (value: number) => Number(value.toFixed(9));
  assert.deepEqual(
    [found.slope, found.low, found.high].map(round),
    [1, 0.788888889, 1.075],
  );
});

Deno.test("theilSen is not moved by a quarter of the points gone astray", () => {
  const points = line(2, 40).map((point) =>
    point.x % 4 === 1 ? { ...point, y: 1_000 } : point
  );
  assert.ok(Math.abs(theilSen(points)!.slope - 2) < 0.1);
});

Deno.test("theilSen says nothing of a few points, nor of one moment", () => {
  assert.equal(theilSen(line(1, 4)), undefined);
  assert.equal(theilSen(Array(20).fill({ x: 1, y: 2 })), undefined);
});
