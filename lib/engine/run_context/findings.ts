import { latencyOf } from "../../results/histograms/second_latency.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { findKnee } from "../../results/knee/knee.ts";
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
