import { latencyOf } from "../../results/histograms/fine_buckets.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { findKnee } from "../../results/knee/knee.ts";
import { formatThreshold } from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../language/ir.ts";
import type { Knee } from "../../model/result/run.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import { effectiveThresholds, judge } from "../../results/report/thresholds.ts";
import type { RunContext } from "./run_context.ts";
import type { AgentSamples } from "./agent_samples.ts";

/**
 * Adds what the target's agent reported, and the knee of a stress run that
 * breached its thresholds.
 */
export function withFindings(
  ending: RunEnding,
  { facts }: Pick<RunContext, "facts">,
  { totals, seconds }: Pick<Recording, "totals" | "seconds">,
  { series, notes }: AgentSamples,
): RunEnding {
  const explained = {
    ...ending,
    agentAttached: series !== undefined,
    notes: [...ending.notes ?? [], ...notes],
  };
  if (facts.mode !== "stress") return explained;
  const thresholds = effectiveThresholds(facts.mode, facts.thresholds);
  const verdicts = judge(thresholds, totals, facts.steps);
  const breached = thresholds.filter((_, index) => !verdicts[index]!.pass);
  if (breached.length === 0) return explained;
  // The seconds of a run know no steps.
  const ofRun = breached.filter(({ step }) => step === undefined);
  if (ofRun.length === 0) {
    return { ...explained, knee: stepKnee(breached[0]!) };
  }
  const knee = findKnee({
    breached: ofRun,
    seconds,
    latencyOf,
    samples: series?.samples ?? [],
  });
  return { ...explained, knee };
}

/** A break that no level of the whole run shows. */
function stepKnee(threshold: Threshold): Knee {
  return {
    class: "inconclusive",
    detail:
      "no level: only thresholds of a step broke, and levels are judged over all steps",
    vus: null,
    at_ms: null,
    threshold: formatThreshold(threshold),
  };
}
