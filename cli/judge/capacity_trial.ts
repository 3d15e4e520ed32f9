import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import { runsDry } from "../../lib/engine/plan/budget.ts";
import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/findings.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  causeOverLevels,
  type LevelReading,
} from "../../lib/results/knee/knee.ts";
import {
  actualText,
  countText,
  plural,
} from "../../lib/results/report/figures.ts";
import type { LoadSearch } from "../../lib/results/statistics/load_search.ts";
import { readAgent } from "../../lib/results/store/reader.ts";
import type { CapacityFlags } from "./judging_options.ts";

/** One trial, and where it is stored. */
export interface StoredTrial {
  readonly trial: CapacityTrial;
  readonly prepared: PreparedRun;
  readonly meta: RunMeta;
  readonly directory: string;
}

export const MORE_ROWS =
  "add rows, or say `on_exhausted: cycle` under `pools` (version 1)";

/**
 * Checks that a trial did not use up the rows of a fixture: what comes of that is no
 * limit of the target's.
 *
 * @throws {BenchError} naming the pool
 */
export function checkRowsLeft(
  { flows, fixtures }: Pick<PreparedRun, "flows" | "fixtures">,
  meta: RunMeta,
  level: number,
): void {
  const lacked = meta.failures.some(({ code }) => code === "resolution");
  flows.forEach(({ flow, prefix }, index) => {
    const { iterations } = meta.flows?.[index] ?? meta;
    for (const pool of (flow.pools ?? []).filter(runsDry)) {
      const size = fixtures.get(prefix + pool.name)?.size ?? Infinity;
      const isUsedUp = pool.on_exhausted === "stop"
        ? iterations.completed >= size
        : iterations.completed > size && lacked;
      if (!isUsedUp) continue;
      throw new BenchError(
        `a trial at ${level} used up the ${
          plural(size, "row")
        } of pool \`${pool.name}\`, which is no limit of the target`,
        { exitCode: EXIT.errored, hint: MORE_ROWS },
      );
    }
  });
}

/** A share of the due requests that were never sent: more is a breach. */
const MOST_UNSERVED = 0.02;
/** A run whose requests were held back more often did not offer its load. */
const MOST_HELD = 0.02;

/**
 * The result of one trial: a level holds when its thresholds do, and, at a rate, when
 * the target took what was offered.
 */
export function trialOf(
  meta: RunMeta,
  level: number,
  unit: Capacity["unit"],
): CapacityTrial {
  const seconds = Math.max(0.001, meta.duration_ms / 1_000);
  const unserved = meta.generator?.unserved_slots ?? 0;
  const offered = meta.requests + unserved;
  const broken = meta.thresholds.filter(({ pass }) => !pass)
    .map((each) => `${each.expression}: ${actualText(each)}`);
  if (
    unit === "requests_per_second" && unserved > offered * MOST_UNSERVED
  ) {
    broken.push(
      `${countText(unserved)} of ${countText(offered)} due requests never sent`,
    );
  }
  if (broken.length === 0 && meta.verdict !== "pass") {
    broken.push(meta.reason?.text ?? "the run did not pass");
  }
  return {
    level,
    duration_ms: Math.round(meta.duration_ms),
    held: broken.length === 0,
    limited: false,
    ...limitOf(meta),
    requests_per_second: Number((meta.requests / seconds).toPrecision(4)),
    ...(meta.latency_intervals && { samples: meta.latency_intervals.samples }),
    p50: meta.latency.p50,
    p95: meta.latency.p95,
    error_rate: meta.error_rate,
    throttle_rate: meta.throttle_rate,
    broken,
  };
}

/** Held back by itself, or by the target's `max_rps`. */
function limitOf(
  { generator, requests }: RunMeta,
): Pick<CapacityTrial, "limited" | "held_back"> | undefined {
  if (!generator) return undefined;
  if (generator.limited) return { limited: true };
  return generator.held_requests > requests * MOST_HELD
    ? { limited: true, held_back: true }
    : undefined;
}

/** The options that a cause is said by. */
type Limits = Pick<CapacityFlags, "vus" | "most">;

/** The limit that did not hold above the bound, or why there is no upper bound. */
export async function capacityCause(
  search: LoadSearch,
  trials: readonly StoredTrial[],
  limits: Limits,
): Promise<string> {
  const known = trials.filter(({ trial }) => !trial.limited);
  const above = known.findLast(({ trial }) =>
    trial.level === search.bounds.upper && !trial.held
  );
  if (!above) return openCause(search, trials, limits);
  const held = known.filter(({ trial: { held, level } }) =>
    held && level < above.trial.level
  ).sort((a, b) => a.trial.level - b.trial.level);
  const [first, before, broken] = await Promise.all(
    [held[0], held.at(-1), above].map((each) => each && readingOf(each)),
  );
  const { class: why, detail } = causeOverLevels({
    ...(first && { first }),
    ...(before && { before }),
    broken: broken!,
  });
  return [
    ...above.trial.broken,
    `${detail} (${why})`,
    ...coarseness(search, trials),
  ].join("; ");
}

/** Why the bounds are further apart, or less sure, than was asked. */
function coarseness(
  { bounds: { lower, upper }, ceiling }: LoadSearch,
  trials: readonly StoredTrial[],
): string[] {
  const limit = limitText(ceiling, trials);
  if (!limit) return [];
  if (lower === null) return [`${limit}, and no lower level held`];
  if (ceiling <= lower) return [`${limit}, where only a short trial counts`];
  return upper === null || ceiling >= upper
    ? []
    : [`${limit}, so that no nearer bound is known`];
}

/** `the generator was the limit at 80`; undefined where no level was left out for that. */
function limitText(
  ceiling: number,
  trials: readonly StoredTrial[],
): string | undefined {
  const last = trials.findLast(({ trial }) =>
    trial.limited && trial.level === ceiling
  );
  if (!last) return;
  const limit = last.trial.held_back
    ? "`max_rps` of the target held requests back"
    : "the generator was the limit";
  return `${limit} at ${countText(ceiling)}`;
}

/** Why there is no upper bound. */
function openCause(
  search: LoadSearch,
  trials: readonly StoredTrial[],
  limits: Limits,
): string {
  const { bounds, ceiling, options: { most } } = search;
  if (bounds.lower === most) {
    const own = limits.vus ? "`max_vus`" : "`max_rps`";
    const by = most === limits.most ? "`--most`" : `${own} of the target`;
    return [
      `${by} lets no level above ${countText(most)} be tried`,
      ...coarseness(search, trials),
    ].join("; ");
  }
  const limit = limitText(ceiling, trials);
  return limit
    ? `${limit}: what the target can do${
      bounds.lower === null ? "" : " beyond"
    } is not known`
    // A search that was interrupted.
    : "no level surely broke";
}

async function readingOf(
  { trial, directory }: StoredTrial,
): Promise<LevelReading> {
  const agent = await readAgent(directory);
  return {
    level: trial.level,
    throttleRate: trial.throttle_rate,
    samples: agent?.samples ?? [],
  };
}
