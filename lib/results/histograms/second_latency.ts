import type { Distribution } from "../../model/result/totals.ts";
import { FineBuckets } from "./fine_buckets.ts";

/**
 * The spread of the latencies of some seconds of a run. The maximum is exact,
 * everything else is right within 2.2 %.
 */
export function latencyOf(
  seconds: readonly { readonly buckets: Uint32Array; readonly max: number }[],
): Distribution {
  const fine = new FineBuckets();
  let max = 0;
  for (const second of seconds) {
    fine.add(second.buckets);
    if (second.max > max) max = second.max;
  }
  const within = (ms: number) => Math.min(ms, max);
  return {
    count: fine.total,
    min: within(fine.percentile(Number.MIN_VALUE)),
    avg: within(fine.mean()),
    max,
    percentile: (p) => p >= 100 ? max : within(fine.percentile(p)),
  };
}
