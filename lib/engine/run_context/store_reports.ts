import {
  type GeneratorCost,
  generatorSeconds,
  mergeGenerators,
} from "../../results/record/generator.ts";
import type { Redacted } from "../../results/redact/redacted.ts";
import { mergeSnapshots } from "../../results/record/snapshot.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";
import type { AgentSamples } from "./agent_samples.ts";
import { endingOf } from "./ending.ts";
import { type StoredRun, storeRun } from "./files.ts";
import { type ShardShare, sumCosts } from "./shards.ts";
import { withFindings } from "./findings.ts";
import { driftIn } from "./drift_in.ts";
import { certaintyOf } from "./certainty.ts";
import type { EndedRun, RunContext } from "./run_context.ts";
import { shareToStore } from "./stored_share.ts";

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
  const found = withFindings(
    endingOf(run, shares, generators, costs),
    run,
    recording,
    agent,
  );
  const ending = run.plan.executor === "rows" ? found : {
    ...found,
    ...await certaintyOf(recording, durationMs),
    ...run.plan.mode === "soak"
      ? { drift: await driftIn(recording, agent.series, durationMs) }
      : {},
  };
  return await storeRun(run, recording, ending, {
    health: run.plan.executor === "rows"
      ? []
      : generatorSeconds(generators, costs),
    agent: agent.series,
    share: own,
  });
}
