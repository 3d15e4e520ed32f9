import type { AgentSeries } from "../../model/result/agent.ts";
import type { Drift } from "../../model/result/drift.ts";
import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { agentRates } from "../../results/samples/agent_rates.ts";

/** What changed over a soak run. */
export async function driftIn(
  { stretches, seconds }: Pick<Recording, "stretches" | "seconds">,
  agent: AgentSeries | undefined,
  durationMs: number,
): Promise<Drift> {
  const { driftOf } = await import("../../results/statistics/drift.ts");
  const samples = agent?.samples ?? [];
  const rates = agentRates(samples);
  const whole = seconds.slice(0, Math.floor(durationMs / 1_000));
  return driftOf({
    durationMs,
    latency: wholeStretches(stretches.overall, durationMs),
    completed: whole.map((each) => each.completed),
    failed: whole.map((each) => each.iterations_failed),
    readings: samples.map((each, i) => ({
      at: each.t_ms,
      memory: each.mem_used_bytes,
      cpu: rates[i]?.cpu ?? null,
      openFiles: each.open_fds,
    })),
  });
}
