import {
  type GeneratorCost,
  generatorSeconds,
  mergeGenerators,
} from "../../results/record/generator.ts";
import { seriesOf } from "../../results/record/series.ts";
import type { Series } from "../../model/result/series.ts";
import type { Redacted } from "../../results/redact/redacted.ts";
import {
  mergeSnapshots,
  type Recording,
} from "../../results/record/snapshot.ts";
import type { ShardShare, WorkerReport } from "../workers/worker_pool.ts";
import type { AgentSamples } from "./agent_samples.ts";
import { endingOf } from "./ending.ts";
import { type StoredRun, storeRun } from "./files.ts";
import { sumCosts } from "./shards.ts";
import { withFindings } from "./findings.ts";
import type { EndedRun, RunContext } from "./run_context.ts";
import { shareToStore } from "./stored_share.ts";
import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import type { Drift } from "../../model/result/findings.ts";
import { agentRates } from "../../results/samples/agent_rates.ts";

/** Merges what the workers of all shards recorded, judges it, and stores it. */
export function storeReports(
  run: RunContext,
  reports: readonly WorkerReport[],
  agent: AgentSamples,
  cost: GeneratorCost,
): Promise<StoredRun> {
  const { shard } = run.plan;
  const own = { index: shard?.index ?? 0, workers: reports, cost };
  const others = run.workers.others?.() ?? [];
  const apart = (shard?.count ?? 1) > 1 && run.writer.dir !== undefined &&
    (others.length === 0 || others.some((each) => each.lost));
  const share = apart ? shareToStore(run, own, agent.notes) : undefined;
  return storeShares(run, [own, ...others], agent, cost.durationMs, share);
}

/** @param own what this process recorded, to be stored beside it */
export async function storeShares(
  run: EndedRun,
  shares: readonly ShardShare[],
  agent: AgentSamples,
  durationMs: number,
  own?: Redacted<unknown>,
): Promise<StoredRun> {
  const all = shares.flatMap((each) => each.workers);
  const recording = mergeSnapshots(all.map((each) => each.snapshot));
  const generators = mergeGenerators(all.map((each) => each.generator));
  const costs = {
    ...sumCosts(shares.flatMap((each) => each.cost ?? [])),
    durationMs,
  };
  const isLoad = run.plan.executor !== "rows";
  const series = seriesOf(
    recording.seconds,
    isLoad ? generatorSeconds(generators, costs) : [],
  );
  const found = withFindings(
    endingOf(run, shares, generators, costs, evidenceOf(recording, durationMs)),
    run,
    recording,
    agent,
  );
  const ending = !isLoad ? found : {
    ...found,
    ...await certaintyOf(recording, durationMs),
    find: await findingIn(series, agent.series),
    ...run.plan.mode === "soak"
      ? { drift: await driftIn(recording, agent.series, durationMs) }
      : {},
  };
  return await storeRun(run, recording, ending, {
    series,
    agent: agent.series,
    share: own,
  });
}

/** What is known of the latencies of a whole run. */
function evidenceOf(
  { totals, stretches }: Pick<Recording, "totals" | "stretches">,
  durationMs: number,
): LatencyEvidence {
  return {
    latency: totals.latencies.response,
    blocks: wholeStretches(stretches.overall, durationMs),
    durationMs,
  };
}

/** How sure the percentiles of a run are. */
async function certaintyOf(
  { totals, stretches }: Pick<Recording, "totals" | "stretches">,
  durationMs: number,
): Promise<Pick<RunEnding, "intervals">> {
  // The library it needs is slow to load, and no run needs it before its end.
  const { latencyIntervals } = await import(
    "../../results/statistics/percentile_bounds.ts"
  );
  const { steps } = stretches;
  return {
    intervals: {
      overall: latencyIntervals(evidenceOf({ totals, stretches }, durationMs)),
      steps: steps.map((each, index) =>
        latencyIntervals({
          latency: totals.steps[index]!.latencies.response,
          blocks: wholeStretches(each, durationMs),
        })
      ),
    },
  };
}

/** What stands out in a load run. */
async function findingIn(
  { points }: Series,
  agent: AgentSeries | undefined,
): Promise<NonNullable<RunEnding["find"]>> {
  const { findingsOf } = await import("../../results/report/findings.ts");
  const targetCpu = agentRates(agent?.samples ?? [])
    .flatMap(({ cpu }) => cpu ?? []);
  return (meta) => findingsOf({ meta, seconds: points, targetCpu });
}

/** What changed over a soak run. */
async function driftIn(
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
