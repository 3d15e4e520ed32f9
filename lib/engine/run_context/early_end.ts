import type { Progress } from "../../results/record/recorder.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import { latencyText } from "../../results/report/figures.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { Stop } from "../vu/stop.ts";
import { BreachWatch } from "./breach_watch.ts";
import { goalText, type PrecisionGoal } from "./precision_goal.ts";

/** What a run may end at early. */
export interface EarlyEndOptions {
  /** End a load run when a threshold is surely broken. */
  readonly stopOnBreach?: boolean;
  /** End a load run when a percentile is so sure. */
  readonly until?: PrecisionGoal;
}

/** What may end a run before its plan does. */
export interface EarlyEnd {
  /** To be called about once a second with the progress of each thread. */
  note(parts: readonly Progress[], stop: Stop): void;
  /** Whether the latencies so far are to be noted too. */
  wantsLatencies(elapsedMs: number): boolean;
  noteLatencies(evidence: LatencyEvidence, stop: Stop): void;
  /** What it came to. @param evidence of the run as it is stored */
  notes(evidence: LatencyEvidence): string[];
}

/** As the options ask for it; only runs that make load end early. */
export async function earlyEndOf(
  { thresholds = [] }: RunFacts,
  { executor, iterations }: RunPlan,
  { stopOnBreach, until }: EarlyEndOptions,
): Promise<EarlyEnd> {
  const load = executor !== "rows";
  const breach = load && stopOnBreach
    ? new BreachWatch(thresholds, iterations)
    : undefined;
  // What it computes with is slow to load.
  const precision = load && until
    ? new (await import("./precision_watch.ts")).PrecisionWatch(until)
    : undefined;
  let reachedMs: number | undefined;
  return {
    note(parts, stop) {
      const broken = breach?.note(parts);
      if (broken !== undefined) stop.soft("breach", broken);
    },
    wantsLatencies(elapsedMs) {
      return reachedMs === undefined && (precision?.isDue(elapsedMs) ?? false);
    },
    noteLatencies(evidence, stop) {
      if (!precision?.note(evidence)) return;
      reachedMs = evidence.durationMs;
      stop.soft("certain", goalText(precision.goal));
    },
    notes(evidence) {
      if (!precision) return [];
      const goal = goalText(precision.goal);
      const width = precision.widthOf(evidence);
      const known = width === undefined
        ? "too few samples"
        : `within ${Number((width * 100).toPrecision(3))}%`;
      if (reachedMs === undefined) {
        return [`${goal}: not reached when the run was over: ${known}`];
      }
      const after = latencyText(Math.floor(reachedMs / 1_000) * 1_000);
      const still = precision.isMet(evidence)
        ? ""
        : ", but not with what completed after that";
      return [`${goal}: reached after ${after}${still}: ${known}`];
    },
  };
}
