import {
  type GeneratorCost,
  generatorFigures,
  mergeGenerators,
} from "../../results/record/generator.ts";
import {
  generatorHealth,
  NOT_THE_LIMIT,
} from "../../results/report/generator.ts";
import { latencyText } from "../../results/report/figures.ts";
import { EXHAUSTED } from "../../model/result/failure.ts";
import type { GeneratorHealth, ShardSummary } from "../../model/result/run.ts";
import { sum, sumFields } from "../../base/values/sum.ts";
import type { ShardShare, WorkerReport } from "../workers/worker_pool.ts";

/** The records of a run, and their cost. */
export interface Recorded {
  readonly workers: readonly WorkerReport[];
  readonly cost: GeneratorCost;
  /** Of a run of several processes: what each of them had. */
  readonly shards?: readonly ShardShare[];
}

/** The records of all processes of a run, as one. */
export function allShards(
  shards: readonly ShardShare[],
  durationMs: number,
): Recorded {
  return {
    workers: shards.flatMap((each) => each.workers),
    cost: sumCosts(shards.flatMap((each) => each.cost ?? []), durationMs),
    shards,
  };
}

function sumCosts(
  costs: readonly GeneratorCost[],
  durationMs: number,
): GeneratorCost {
  const [first] = costs;
  if (costs.length === 1) return { ...first!, durationMs };
  const length = Math.max(...costs.map((each) => each.cpuSeconds.length));
  return {
    durationMs,
    ...sumFields(costs, ["threads", "cpuTotal", "unserved"]),
    cpuSeconds: Array.from(
      { length },
      (_, t) => sum(costs, (each) => each.cpuSeconds[t] ?? 0),
    ),
  };
}

/** As `meta.json` has it. */
export function shardSummary(share: ShardShare): ShardSummary {
  const { index, workers, lost } = share;
  return {
    shard: index,
    workers: workers.length,
    iterations: sum(workers, (each) => each.snapshot.iterations.completed),
    requests: sum(
      workers,
      (each) => sum(each.snapshot.steps, (step) => step.requests),
    ),
    generator: healthOf(share) ?? null,
    lost_at_ms: lost?.atMs ?? null,
  };
}

function healthOf({ workers, cost }: ShardShare): GeneratorHealth | undefined {
  if (!cost || workers.length === 0) return undefined;
  const data = mergeGenerators(workers.map((each) => each.generator));
  const figures = generatorFigures(data, cost);
  return generatorHealth(figures, cost.durationMs, exhaustedOf(workers));
}

/** Steps that failed because the machine had no descriptor, port or address left. */
export function exhaustedOf(
  workers: readonly Pick<WorkerReport, "snapshot">[],
): number {
  const groups = workers.flatMap(({ snapshot }) => snapshot.failures.groups);
  return sum(groups, ({ code, count }) => code === EXHAUSTED ? count : 0);
}

/** The health of all of them: one that is the limit is named. */
export function healthOfAll(
  health: GeneratorHealth,
  shards: readonly ShardSummary[],
): GeneratorHealth {
  const limiting = shards.filter(({ generator }) => generator?.limited);
  // A run that was too short to say anything is so in all of its shards.
  const own = health.limited ? NOT_THE_LIMIT : health.detail;
  const detail = limiting.length === 0 ? own : limitsOf(limiting);
  return { ...health, limited: limiting.length > 0, detail };
}

/** Shards whose limits are named; `meta.json` has those of each. */
const MOST_NAMED = 3;

function limitsOf(limiting: readonly ShardSummary[]): string {
  const others = limiting.length - MOST_NAMED;
  const named = limiting.slice(0, others > 1 ? MOST_NAMED : undefined)
    .map(({ shard, generator }) => `shard ${shard}: ${generator!.detail}`)
    .join(". ");
  return others > 1
    ? `${named}. The generator was the limit of ${others} more shards`
    : named;
}

/** Which shards were lost, and from when on their share is missing. */
export function lossNotes(
  shares: readonly ShardShare[],
): string[] {
  return shares.flatMap(({ index, lost }) => {
    if (!lost) return [];
    const atMs = Math.round(lost.atMs / 100) * 100;
    const from = atMs > 0 ? ` from ${latencyText(atMs)} on` : "";
    return [
      `shard ${index} of ${shares.length} was lost: ${lost.why}; its share is missing${from}`,
    ];
  });
}
