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
import { withFindings } from "./findings.ts";
import { certaintyOf } from "./certainty.ts";
import type { RunContext } from "./run_context.ts";

/** Merges what the workers recorded, judges it, and stores it. */
export async function storeReports(
  run: RunContext,
  reports: readonly WorkerReport[],
  agent: AgentSamples,
  cost: GeneratorCost,
): Promise<StoredRun> {
  const recording = mergeSnapshots(reports.map((each) => each.snapshot));
  const generators = mergeGenerators(reports.map((each) => each.generator));
  const found = withFindings(
    endingOf(run, reports, generators, cost),
    run,
    recording,
    agent,
  );
  const ending = run.plan.executor === "rows"
    ? found
    : { ...found, ...await certaintyOf(recording, cost.durationMs) };
  return await storeRun(run, recording, ending, {
    health: run.plan.executor === "rows"
      ? []
      : generatorSeconds(generators, cost),
    agent: agent.series,
  });
}
