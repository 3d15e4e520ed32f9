import { RUN_SCHEMA } from "../../model/result/stored.ts";
import type { SecondPoint, Series } from "../../model/result/series.ts";
import { toThousandths } from "../../base/values/numbers.ts";
import { FineBuckets } from "../histograms/fine_buckets.ts";
import { emptySecond, type SecondData } from "./seconds.ts";
import { OutcomeCounts, stepOutcomes } from "./step_outcomes.ts";

/** Puts the seconds of several recorders together, second by second. */
export function mergeSeconds(
  parts: readonly (readonly SecondData[])[],
): SecondData[] {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) return [...only];
  const last = Math.max(-1, ...parts.map((part) => part.at(-1)?.t ?? -1));
  const merged: SecondData[] = [];
  const fine = new FineBuckets();
  const steps = new OutcomeCounts(0);
  for (let t = 0; t <= last; t++) {
    const sum = emptySecond(0);
    for (const part of parts) {
      const second = part[t];
      if (!second) continue;
      fine.add(second.buckets);
      steps.add(second.steps);
      addCounts(sum, second);
    }
    const packed = { buckets: fine.packed(), steps: steps.packed() };
    merged.push({ t, ...sum, ...packed });
    fine.clear();
    steps.clear();
  }
  return merged;
}

/** What a point says of the generator itself; absent where it was not watched. */
export type SecondHealth = Pick<
  SecondPoint,
  "cpu_share" | "core_wait_share" | "loop_lag_ms" | "lateness_ms"
>;

/** `series.json`. */
export function seriesOf(
  seconds: readonly SecondData[],
  health: readonly SecondHealth[] = [],
): Series {
  const points = seconds.map((second) => ({
    ...pointOf(second),
    ...health[second.t],
  }));
  return { schema: RUN_SCHEMA, interval_ms: 1000, points };
}

/** One second as a reader sees it. */
function pointOf(second: SecondData): SecondPoint {
  const { buckets, steps, max, ...counts } = second;
  const fine = new FineBuckets();
  fine.add(buckets);
  const known = (ms: () => number) =>
    fine.total === 0 ? null : toThousandths(ms());
  const quantile = (p: number) =>
    known(() => Math.min(max, fine.percentile(p)));
  return {
    ...counts,
    p50: quantile(50),
    p95: quantile(95),
    p99: quantile(99),
    max: known(() => max),
    steps: stepOutcomes(steps),
    buckets: fine.coarse(),
  };
}

function addCounts(
  sum: ReturnType<typeof emptySecond>,
  second: SecondData,
): void {
  const max = Math.max(sum.max, second.max);
  for (const key of Object.keys(sum) as (keyof typeof sum)[]) {
    sum[key] += second[key];
  }
  sum.max = max;
}
