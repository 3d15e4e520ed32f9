import type { RunMeta } from "../../model/result/run.ts";
import type { DifferenceBounds } from "../statistics/difference_bounds.ts";

/** How one figure of a run came out against other runs. */
export type ComparisonVerdict = "better" | "same" | "worse" | "unclear";

/** One figure of the runs that are compared. */
export interface ComparedFigure {
  /**
   * `error_rate`, `throttle_rate`, `p50` ... `p99`, `requests_per_second`; of runs
   * that are paired also `typical`, the geometric mean of the latencies.
   */
  readonly metric: string;
  /** Absent for the whole run. */
  readonly step?: string;
  readonly unit: "ms" | "share" | "per_second";
  /** Of several base runs their mean; null without a sample. */
  readonly base: number | null;
  readonly candidate: number | null;
  /**
   * By how much the candidate is more: a share of the base (0.05 is 5 %), for
   * rates a difference of shares. null when nothing can be said.
   */
  readonly change: DifferenceBounds | null;
  readonly verdict: ComparisonVerdict;
  /** Why nothing can be said, or how much longer to measure. */
  readonly detail?: string;
}

/** One run that takes part. */
interface ComparedRun extends
  Pick<
    RunMeta,
    "id" | "target" | "bench_version" | "started_at" | "duration_ms"
  > {
  /** Completed ones. */
  readonly iterations: number;
}

/** A candidate against one or more base runs; what `bench compare --json` prints. */
export interface RunComparison {
  readonly flow: string;
  readonly candidate: ComparedRun;
  readonly bases: readonly ComparedRun[];
  /** Measured together, second by second. */
  readonly paired: boolean;
  /** Smaller changes are called none. */
  readonly margin: number;
  /** With which all intervals hold at once. */
  readonly confidence: number;
  readonly verdict: ComparisonVerdict;
  readonly figures: readonly ComparedFigure[];
  /** What a reader should know before trusting the figures. */
  readonly notes: readonly string[];
}
