import assert from "node:assert/strict";
import fc from "fast-check";
import { windowsOf } from "../../../../lib/results/knee/windows.ts";
import { ramp } from "./knee_series.ts";

/** First and last second of each window. */
function spans(completed: readonly number[], started = completed) {
  const seconds = ramp(completed.length, (t) => ({
    completed: completed[t]!,
    started: started[t]!,
  }));
  return windowsOf(seconds).map((each) => [
    each.fromMs / 1_000,
    each.toMs / 1_000,
  ]);
}

const TABLE: readonly [rule: string, completed: number[], spans: number[][]][] =
  [
    ["a second with 20 iterations is a window", [20, 30], [[0, 1], [1, 2]]],
    ["fewer wait for the next second", [19, 1, 20], [[0, 2], [2, 3]]],
    ["what is left over belongs to the last window", [20, 20, 3], [
      [0, 1],
      [1, 3],
    ]],
    ["a run of a few iterations is one window", [3, 4], [[0, 2]]],
    ["a run without iterations has no window", [0, 0], []],
  ];

for (const [rule, completed, expected] of TABLE) {
  Deno.test(`windowsOf: ${rule}`, () => {
    const started = completed.map((each) => Math.max(1, each));
    assert.deepEqual(spans(completed, started), expected);
  });
}

Deno.test("windowsOf: seconds that only wait for the last iterations belong to the last active one", () => {
  assert.deepEqual(spans([20, 20, 25, 40], [20, 20, 0, 0]), [[0, 1], [1, 4]]);
});

Deno.test("windowsOf: windows follow one another and lose no iteration", () => {
  const facts = fc.record({ completed: fc.nat(40), started: fc.nat(3) });
  fc.assert(fc.property(fc.array(facts, { minLength: 1 }), (series) => {
    const seconds = ramp(series.length, (t) => series[t]!);
    const windows = windowsOf(seconds);
    const total = series.reduce((sum, each) => sum + each.completed, 0);
    assert.equal(windows.reduce((sum, each) => sum + each.completed, 0), total);
    assert.deepEqual(
      windows.flatMap((each) => each.seconds),
      total === 0 ? [] : seconds,
    );
  }));
});
