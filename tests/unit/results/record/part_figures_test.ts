import { deepStrictEqual } from "node:assert/strict";
import { LatencyStretches } from "../../../../lib/results/histograms/latency_stretches.ts";
import { partFigures } from "../../../../lib/results/record/part_figures.ts";
import { emptySecond } from "../../../../lib/results/record/series.ts";
import { totalsOf } from "../report/totals.ts";

const NONE = new Uint32Array(0);
const run = { mode: "stress" as const, steps: [{ id: "login" }] };

/** Ten latencies a second, of as many milliseconds as the second's number. */
function figures(seconds: number, most?: number) {
  const stretches = new LatencyStretches(0, most);
  for (let i = 0; i < seconds * 10; i++) {
    stretches.record(i * 100, Math.floor(i / 10));
  }
  const data = stretches.data();
  const recording = {
    totals: totalsOf([]),
    stretches: { overall: data, steps: [data] },
  };
  return (from: number, to: number) => {
    const window = Array.from({ length: to - from + 1 }, (_, i) => ({
      ...{ t: from + i, ...emptySecond(1), buckets: NONE, steps: NONE },
    }));
    const { latency } = partFigures(recording, run)("login", window);
    return [latency.count, Math.round(latency.max)];
  };
}

Deno.test("partFigures are of the seconds that were asked for", () => {
  const of = figures(20);
  deepStrictEqual(of(0, 4), [50, 4]);
  deepStrictEqual(of(15, 19), [50, 19]);
});

Deno.test("partFigures of a long run count each stretch in one window alone", () => {
  // Stretches of four seconds.
  const of = figures(120, 50);
  deepStrictEqual(of(101, 105)[0], 0);
  deepStrictEqual(of(101, 109), [40, 107]);
  deepStrictEqual(of(110, 119), [80, 119]);
});
