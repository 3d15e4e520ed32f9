import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { latencyOf } from "../../../../lib/results/histograms/fine_buckets.ts";
import { Seconds } from "../../../../lib/results/record/series.ts";

/** Seconds of a recorder that saw these latencies, one list a second. */
function seen(latencies: readonly (readonly number[])[]) {
  const seconds = new Seconds(0);
  latencies.forEach((each, t) =>
    each.forEach((ms) => seconds.attempt(0, t * 1_000, "passed", ms, 0, 0))
  );
  return seconds.data();
}

Deno.test("latencyOf: nothing in, nothing out", () => {
  const { percentile, ...rest } = latencyOf([]);
  deepStrictEqual({ ...rest, p50: percentile(50) }, {
    count: 0,
    min: 0,
    avg: 0,
    max: 0,
    p50: 0,
  });
});

Deno.test("latencyOf: right within 2.2 % over any seconds, with an exact maximum", () => {
  const latency = fc.double({ min: 0.02, max: 60_000, noNaN: true });
  const lists = fc.array(fc.array(latency, { minLength: 1 }), { minLength: 1 });
  fc.assert(fc.property(lists, fc.integer({ min: 1, max: 99 }), (each, p) => {
    const all = each.flat().toSorted((a, b) => a - b);
    const found = latencyOf(seen(each));
    const close = (actual: number, expected: number) =>
      ok(
        Math.abs(actual - expected) <= expected * 0.0221,
        `${actual} ${expected}`,
      );
    strictEqual(found.count, all.length);
    strictEqual(found.max, all.at(-1));
    strictEqual(found.percentile(100), all.at(-1));
    close(found.min, all[0]!);
    close(found.avg, all.reduce((sum, ms) => sum + ms, 0) / all.length);
    close(found.percentile(p), all[Math.ceil(p / 100 * all.length) - 1]!);
  }));
});
