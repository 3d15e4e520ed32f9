import { latencyOf } from "../../results/histograms/second_latency.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { findKnee } from "../../results/knee/knee.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import { effectiveThresholds, judge } from "../../results/report/thresholds.ts";
import type { OpenRun } from "./open_run.ts";
import type { Overlay } from "./overlay.ts";

/**
 * Adds to how a run ended what the target's machine was doing, and for a stress
 * run that broke its thresholds where and why it did.
 */
export function withDiagnosis(
  ending: RunEnding,
  { facts }: Pick<OpenRun, "facts">,
  { totals, seconds }: Pick<Recording, "totals" | "seconds">,
  { series, notes }: Overlay,
): RunEnding {
  const explained = {
    ...ending,
    agentAttached: series !== undefined,
    notes: [...ending.notes ?? [], ...notes],
  };
  if (facts.mode !== "stress") return explained;
  const thresholds = effectiveThresholds(facts.mode, facts.thresholds);
  const verdicts = judge(thresholds, totals);
  const breached = thresholds.filter((_, index) => !verdicts[index]!.pass);
  if (breached.length === 0) return explained;
  const knee = findKnee({
    breached,
    seconds,
    latencyOf,
    samples: series?.samples ?? [],
  });
  return { ...explained, knee };
}
