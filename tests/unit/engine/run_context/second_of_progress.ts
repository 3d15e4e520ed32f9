import type { Progress } from "../../../../lib/results/record/recorder.ts";
import { FineBuckets } from "../../../../lib/results/histograms/fine_buckets.ts";
import { emptySecond } from "../../../../lib/results/record/series.ts";

/** One thread after a second of 40 iterations that took `ms`. */
export function progressOf(t: number, ms: number, failed = 0): Progress {
  const fine = new FineBuckets();
  for (let i = 0; i < 40; i++) fine.record(ms);
  const counts = { completed: 40, started: 40, passed: 40, max: ms };
  return {
    iterations: {
      started: 40 * (t + 1),
      completed: 40 * (t + 1),
      passed: 0,
      failed,
      throttled: 0,
      interrupted: 0,
    },
    requests: 0,
    second: {
      ...emptySecond(1),
      ...counts,
      t,
      buckets: fine.packed(),
      steps: new Uint32Array(0),
    },
  };
}
