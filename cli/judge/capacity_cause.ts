import type { Capacity } from "../../lib/model/result/capacity.ts";
import {
  causeOverLevels,
  type LevelReading,
} from "../../lib/results/knee/over_levels.ts";
import { readAgent } from "../../lib/results/store/reader.ts";
import type { StoredTrial } from "./capacity_trial.ts";

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
