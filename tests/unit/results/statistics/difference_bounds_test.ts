import assert from "node:assert/strict";
import { LatencyGroups } from "../../../../lib/results/statistics/latency_groups.ts";
import { differenceBounds } from "../../../../lib/results/statistics/difference_bounds.ts";
import { replicatedPercentile } from "../../../../lib/results/statistics/replicated.ts";
import { simulatedRun } from "../../../simulation/draws.ts";

const CALM = { ms: 20, within: 0.3, between: 0.1, correlation: 0.3 };

function replicated(ms: number, seed: number, drawn = seed, p = 95) {
  const run = simulatedRun({ ...CALM, ms }, 60, 50, seed);
  return replicatedPercentile(new LatencyGroups(run), p, drawn);
}

Deno.test("differenceBounds of two runs hold the true ratio of their percentiles", () => {
  for (const p of [50, 90, 95, 99]) {
    const found = differenceBounds(
      replicated(20, 1, 1, p),
      replicated(26, 2, 2, p),
      0.99,
    );
    const [low, value, high] = [found.low, found.value, found.high].map(
      Math.exp,
    );
    assert.ok(low! < 1.3 && 1.3 < high!, `p${p}: ${low} ${high}`);
    assert.ok(low! < value! && value! < high!);
  }
});

Deno.test("differenceBounds draw the same blocks for the same seed", () => {
  const bounds = (seed: number) =>
    differenceBounds(replicated(20, 1, 7), replicated(21, 2, seed), 0.95);
  assert.deepEqual(bounds(8), bounds(8));
  assert.notDeepEqual(bounds(8), bounds(9));
});

Deno.test("differenceBounds lie further apart the surer they are to be", () => {
  const [a, b] = [replicated(20, 1), replicated(20, 2)];
  const width = (confidence: number) => {
    const { low, high } = differenceBounds(a, b, confidence);
    return high - low;
  };
  assert.ok(width(0.95) < width(0.99) && width(0.99) < width(0.999));
});

Deno.test("differenceBounds of a run and itself, drawn alike, leave no doubt", () => {
  const same = replicated(20, 1);
  assert.deepEqual(differenceBounds(same, same, 0.95), {
    value: 0,
    low: 0,
    high: 0,
  });
});

Deno.test("differenceBounds of seconds with a common disturbance are narrow when they are drawn together", () => {
  const error = { ...CALM, within: 0.05, between: 0.4 };
  const [a, b] = [20, 21].map((ms) =>
    new LatencyGroups(simulatedRun({ ...error, ms }, 60, 50, 1))
  );
  const width = (seed: number) => {
    const { low, high } = differenceBounds(
      replicatedPercentile(a!, 50, 3),
      replicatedPercentile(b!, 50, seed),
      0.95,
    );
    return high - low;
  };
  assert.ok(width(3) < width(4) / 4, `${width(3)} ${width(4)}`);
});
