import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import type { RunEnding } from "../../results/report/summary.ts";

/** How sure the percentiles of a run are. */
export async function certaintyOf(
  { totals, stretches }: Pick<Recording, "totals" | "stretches">,
  durationMs: number,
): Promise<Pick<RunEnding, "intervals">> {
  // The library it needs is slow to load, and no run needs it before its end.
  const { latencyIntervals } = await import(
    "../../results/statistics/latency_intervals.ts"
  );
  const { overall, steps } = stretches;
  return {
    intervals: {
      overall: latencyIntervals(
        totals.latencies.response,
        wholeStretches(overall, durationMs),
      ),
      steps: steps.map((each, index) =>
        latencyIntervals(
          totals.steps[index]!.latencies.response,
          wholeStretches(each, durationMs),
        )
      ),
    },
  };
}
