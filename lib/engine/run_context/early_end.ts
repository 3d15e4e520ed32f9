import type { Progress } from "../../results/record/recorder.ts";
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
  /** What it came to. */
  notes(durationMs: number): string[];
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
  let reached = false;
  return {
    note(parts, stop) {
      const broken = breach?.note(parts);
      if (broken !== undefined) stop.soft("breach", broken);
      if (!precision || reached || !precision.note(parts)) return;
      reached = true;
      stop.soft("certain", goalText(precision.goal));
    },
    notes(durationMs) {
      if (!precision) return [];
      const goal = goalText(precision.goal);
      if (reached) return [`${goal}: reached after ${latencyText(durationMs)}`];
      const known = precision.reached === undefined
        ? "too few samples"
        : `within ${Number((precision.reached * 100).toPrecision(2))}%`;
      return [`${goal}: not reached when the run was over: ${known}`];
    },
  };
}
