import type { PreparedRun } from "../../lib/compile.ts";
import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/findings.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  causeOverLevels,
  type LevelReading,
} from "../../lib/results/knee/over_levels.ts";
import { actualText } from "../../lib/results/report/figures.ts";
import { readAgent } from "../../lib/results/store/reader.ts";

/** One trial, and where it is stored. */
export interface StoredTrial {
  readonly trial: CapacityTrial;
  readonly prepared: PreparedRun;
  readonly meta: RunMeta;
  readonly directory: string;
}

/** A share of the due requests that were never sent: more is a breach. */
const MOST_UNSERVED = 0.02;
/** A run whose requests were held back more often did not offer its load. */
const MOST_HELD = 0.02;

/**
 * What one trial came to: a level holds when its thresholds do, and, at a rate, when
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
    broken.push(`${unserved} of ${offered} due requests never sent`);
  }
  return {
    level,
    duration_ms: Math.round(meta.duration_ms),
    held: broken.length === 0 && meta.verdict === "pass",
    limited: isLimited(meta),
    requests_per_second: Number((meta.requests / seconds).toPrecision(4)),
    p50: meta.latency.p50,
    p95: meta.latency.p95,
    error_rate: meta.error_rate,
    throttle_rate: meta.throttle_rate,
    broken,
  };
}

/** Held back by the target's `max_rps`, or by itself. */
function isLimited({ generator, requests }: RunMeta): boolean {
  if (!generator) return false;
  return generator.limited ||
    generator.held_requests > requests * MOST_HELD;
}

/** What broke above the bound and why, or why there is no upper bound. */
export async function capacityCause(
  { upper }: Pick<Capacity, "upper">,
  trials: readonly StoredTrial[],
): Promise<string> {
  const known = trials.filter(({ trial }) => !trial.limited);
  const above = known.findLast(({ trial }) =>
    trial.level === upper && !trial.held
  );
  if (!above) {
    const limited = trials.find(({ trial }) => trial.limited)?.trial.level;
    return limited === undefined
      ? "every level that could be tried held"
      : `the generator was the limit at ${limited}: what the target can do beyond is not known`;
  }
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
  const what = above.trial.broken.join("; ") || "the run failed";
  return `${what}; ${detail} (${why})`;
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
