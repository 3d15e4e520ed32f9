import {
  type GeneratorCost,
  generatorSeconds,
  mergeGenerators,
} from "../../results/record/generator.ts";
import { mergeSnapshots } from "../../results/record/snapshot.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";
import type { AgentSamples } from "./agent_samples.ts";
import { endingOf } from "./ending.ts";
import { type StoredRun, storeRun } from "./files.ts";
import { type ShardShare, sumCosts } from "./shards.ts";
import { withFindings } from "./findings.ts";
import { driftIn } from "./drift_in.ts";
import { certaintyOf } from "./certainty.ts";
import type { RunContext } from "./run_context.ts";

/** Merges what the workers of all shards recorded, judges it, and stores it. */
export async function storeReports(
  run: RunContext,
  reports: readonly WorkerReport[],
  agent: AgentSamples,
  cost: GeneratorCost,
): Promise<StoredRun> {
  const shares: ShardShare[] = [
    { index: run.plan.shard?.index ?? 0, workers: reports, cost },
    ...run.workers.others?.() ?? [],
  ];
  const all = shares.flatMap((each) => each.workers);
  const recording = mergeSnapshots(all.map((each) => each.snapshot));
  const generators = mergeGenerators(all.map((each) => each.generator));
  const costs = sumCosts(shares.flatMap((each) => each.cost ?? []));
  const found = withFindings(
    endingOf(run, shares, generators, costs),
    run,
    recording,
    agent,
  );
  const ending = run.plan.executor === "rows" ? found : {
    ...found,
    ...await certaintyOf(recording, cost.durationMs),
    ...run.plan.mode === "soak"
      ? { drift: await driftIn(recording, agent.series, cost.durationMs) }
      : {},
  };
  return await storeRun(run, recording, ending, {
    health: run.plan.executor === "rows"
      ? []
      : generatorSeconds(generators, costs),
    agent: agent.series,
  });
}
