import {
  type GeneratorCost,
  generatorSeconds,
  mergeGenerators,
} from "../../results/record/generator.ts";
import { mergeContracts } from "../../results/record/contract_record.ts";
import { seriesOf } from "../../results/record/series.ts";
import type { Series } from "../../model/result/series.ts";
import type { Redacted } from "../../results/redact/redacted.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import {
  histogramEncoder,
  mergeSnapshots,
  type Recording,
} from "../../results/record/snapshot.ts";
import type { ShardShare, WorkerReport } from "../workers/worker_pool.ts";
import type { AgentSamples } from "./agent_samples.ts";
import { endingOf, withFindings } from "./ending.ts";
import { type StoredRun, storeFigures, storeRun } from "./files.ts";
import { StoreError } from "../../results/store/layout.ts";
import { allShards, type Recorded } from "./shards.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { EndedRun, RunContext } from "./run_context.ts";
import { shareToStore } from "./stored_share.ts";
import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import { countsOf } from "../../results/report/counted.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import { type Part, steadiest } from "../../model/course.ts";
import type { Drift } from "../../model/result/findings.ts";
import { agentRates } from "../../results/samples/agent_rates.ts";

/**
 * Loads what storing a run needs. A run may take every descriptor, and nothing
 * can be loaded then.
 */
export async function prepareStoring(
  { executor }: RunPlan,
  secrets: Secrets,
): Promise<void> {
  const loads: Promise<unknown>[] = executor === "rows" ? [] : [
    histogramEncoder(),
    import("../../results/report/findings.ts"),
    import("../../results/statistics/drift.ts"),
    import("../../results/statistics/percentile_bounds.ts"),
  ];
  if (secrets.size > 0) loads.push(Secrets.prepare());
  await Promise.all(loads);
}

/**
 * Writes the counts and the figures of a load whose teardown follows: a run that is
 * killed in that has them, and who looks at it meanwhile sees them.
 */
export async function storeLoad(
  run: RunContext,
  reports: readonly WorkerReport[],
  agent: AgentSamples,
  cost: GeneratorCost,
): Promise<void> {
  if (run.writer.dir === undefined || reports.length === 0) return;
  const { recorded } = recordedOf(run, reports, cost);
  const recording = mergeSnapshots(
    recorded.workers.map((each) => each.snapshot),
  );
  try {
    await storeFigures(run, recording, cost.durationMs, {
      series: wholeSeries(run.plan, recorded, recording),
      agent: agent.series,
    });
  } catch (error) {
    // They are written once more at the end, which says so.
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Merges what the workers recorded, those of all shards, judges it, and stores it. */
export function storeReports(
  run: RunContext,
  reports: readonly WorkerReport[],
  agent: AgentSamples,
  cost: GeneratorCost,
): Promise<StoredRun> {
  const { own, others, recorded } = recordedOf(run, reports, cost);
  const { shard } = run.plan;
  const apart = shard && shard.count > 1 && run.writer.dir !== undefined &&
    (others.length === 0 || others.some((each) => each.lost));
  const share = apart ? shareToStore(run, own, agent.notes) : undefined;
  return storeRecorded(run, recorded, agent, share);
}

/** The records of this process, and those of all shards as one. */
function recordedOf(
  run: RunContext,
  reports: readonly WorkerReport[],
  cost: GeneratorCost,
): {
  readonly own: Recorded;
  readonly others: readonly ShardShare[];
  readonly recorded: Recorded;
} {
  const own = { workers: withOnce(reports, run), cost };
  const { shard } = run.plan;
  const others = (shard && run.workers.others?.()) ?? [];
  const recorded = shard && others.length > 0
    ? allShards([{ index: shard.index, ...own }, ...others], cost.durationMs)
    : own;
  return { own, others, recorded };
}

/** With how the responses of `setup` and `teardown` fit the description of the API. */
function withOnce(
  [first, ...others]: readonly WorkerReport[],
  { setup, teardown }: Pick<RunContext, "setup" | "teardown">,
): readonly WorkerReport[] {
  if (!first) return others;
  const { snapshot } = first;
  const contract = mergeContracts([
    snapshot.contract,
    setup?.contract,
    teardown?.contract,
  ]);
  if (!contract) return [first, ...others];
  return [{ ...first, snapshot: { ...snapshot, contract } }, ...others];
}

/** @param share what this process recorded, to be stored beside it */
export async function storeRecorded(
  run: EndedRun,
  recorded: Recorded,
  agent: AgentSamples,
  share?: Redacted<unknown>,
): Promise<StoredRun> {
  const { workers, cost } = recorded;
  const { durationMs } = cost;
  const recording = mergeSnapshots(workers.map((each) => each.snapshot));
  const generators = mergeGenerators(workers.map((each) => each.generator));
  const isLoad = run.plan.executor !== "rows";
  const series = wholeSeries(run.plan, recorded, recording);
  const found = withFindings(
    endingOf(run, recorded, generators, evidenceOf(recording, durationMs)),
    run,
    recording,
    agent,
  );
  const steady = steadiest(run.plan, durationMs);
  const ending = !isLoad ? found : {
    ...found,
    ...run.leftLoadOut ? {} : warmUpOf(run.plan, recording),
    ...await certaintyOf(recording, durationMs),
    find: await findingIn(series, agent.series, steady),
    ...run.plan.mode === "soak"
      ? { drift: await driftIn(recording, agent.series, durationMs, steady) }
      : {},
  };
  return await storeRun(run, recording, ending, {
    series,
    agent: agent.series,
    share,
  });
}

function wholeSeries(
  { executor }: RunPlan,
  { workers, cost }: Recorded,
  { seconds, warmUp }: Recording,
): Series {
  const generators = mergeGenerators(workers.map((each) => each.generator));
  return seriesOf(
    seconds,
    executor === "rows" ? [] : generatorSeconds(generators, cost),
    warmUp?.seconds,
  );
}

function warmUpOf(
  { warmUpMs = 0 }: RunPlan,
  { warmUp }: Recording,
): Pick<RunEnding, "warm_up"> {
  return warmUp
    ? {
      warm_up: {
        duration_ms: warmUpMs,
        ...countsOf(warmUp.iterations, warmUp.requests),
      },
    }
    : {};
}

/** The latencies of a whole run, as evidence for its percentiles. */
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

/** The findings of a load run. */
async function findingIn(
  { points }: Series,
  agent: AgentSeries | undefined,
  steady: Part,
): Promise<NonNullable<RunEnding["find"]>> {
  const { findingsOf } = await import("../../results/report/findings.ts");
  const targetCpu = agentRates(agent?.samples ?? [])
    .flatMap(({ cpu }) => cpu ?? []);
  return (meta) => findingsOf({ meta, seconds: points, targetCpu, steady });
}

/** The drift of a soak run, over the longest part of it at one level of load. */
async function driftIn(
  { stretches, seconds }: Pick<Recording, "stretches" | "seconds">,
  agent: AgentSeries | undefined,
  durationMs: number,
  { fromMs, toMs }: Part,
): Promise<Drift> {
  const { driftOf } = await import("../../results/statistics/drift.ts");
  const samples = agent?.samples ?? [];
  const rates = agentRates(samples);
  const whole = seconds.slice(
    Math.ceil(fromMs / 1_000),
    Math.floor(toMs / 1_000),
  );
  const blocks = wholeStretches(stretches.overall, durationMs);
  const blockAt = (ms: number) => Math.round(ms / durationMs * blocks.length);
  return driftOf({
    durationMs: toMs - fromMs,
    latency: blocks.slice(blockAt(fromMs), blockAt(toMs)),
    completed: whole.map((each) => each.completed),
    failed: whole.map((each) => each.iterations_failed),
    readings: samples.map((each, i) => ({
      at: each.t_ms - fromMs,
      memory: each.mem_used_bytes,
      cpu: rates[i]?.cpu ?? null,
      openFiles: each.open_fds,
    })).filter(({ at }) => at >= 0 && at <= toMs - fromMs),
  });
}
