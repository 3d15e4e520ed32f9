import assert from "node:assert/strict";
import type { LatencyBlock } from "../../../../lib/model/result/latency.ts";
import { LatencyGroups } from "../../../../lib/results/statistics/latency_groups.ts";
import { percentileBounds } from "../../../../lib/results/statistics/percentile_bounds.ts";
import { simulatedRun } from "../../../simulation/draws.ts";

const CALM = { ms: 20, within: 0.3, between: 0, correlation: 0 };

function boundsOf(
  blocks: readonly LatencyBlock[],
  p: number,
  confidence?: number,
) {
  return percentileBounds(new LatencyGroups(blocks), p, confidence);
}

Deno.test("percentileBounds of independent samples are those of their ranks", () => {
  // Of 3,000 samples the 2.5 % and 97.5 % ranks of p95 are 2,826 and 2,873.
  const bounds = boundsOf(simulatedRun(CALM, 60, 50, 1), 95)!;
  assert.ok(Math.abs(bounds.low - 94.2) < 0.2, `${bounds.low}`);
  assert.ok(Math.abs(bounds.high - 95.75) < 0.2, `${bounds.high}`);
});

Deno.test("percentileBounds lie further apart when seconds differ, and further when they hang together", () => {
  const width = (between: number, correlation: number) => {
    const run = simulatedRun({ ...CALM, between, correlation }, 300, 50, 3);
    const { low, high } = boundsOf(run, 50)!;
    return high - low;
  };
  const [calm, uneven, slow] = [width(0, 0), width(0.2, 0), width(0.2, 0.8)];
  assert.ok(calm < uneven && uneven < slow, `${calm} ${uneven} ${slow}`);
});

Deno.test("percentileBounds are none below the fewest samples", () => {
  const of = (samples: number) =>
    Array.from({ length: samples }, (_, i) => simulatedRun(CALM, 1, 1, i)[0]!);
  assert.equal(boundsOf(of(661), 99), undefined);
  assert.equal(boundsOf(of(129), 95), undefined);
  assert.ok(boundsOf(of(131), 50));
});

Deno.test("percentileBounds are none of a few seconds, however many samples they hold", () => {
  assert.equal(boundsOf(simulatedRun(CALM, 4, 5_000, 1), 50), undefined);
  assert.ok(boundsOf(simulatedRun(CALM, 5, 5_000, 1), 50));
});

Deno.test("percentileBounds are none where the slowest sample would be one", () => {
  const one = simulatedRun(
    { ...CALM, between: 0.5, correlation: 0.9 },
    20,
    40,
    2,
  );
  assert.equal(boundsOf(one, 99), undefined);
});

Deno.test("percentileBounds of a target that always takes as long are narrow", () => {
  const blocks = Array.from({ length: 60 }, (): LatencyBlock => ({
    buckets: Uint16Array.of(900),
    counts: Uint32Array.of(50),
  }));
  const { low, high } = boundsOf(blocks, 50)!;
  assert.ok(low > 47 && high < 53);
});

Deno.test("percentileBounds lie further apart the surer they are to be", () => {
  const run = simulatedRun(CALM, 60, 50, 1);
  const [usual, sure] = [boundsOf(run, 95)!, boundsOf(run, 95, 0.999)!];
  assert.ok(sure.low < usual.low && sure.high > usual.high);
});
