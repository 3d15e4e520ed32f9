import { seededRandom } from "../../lib/base/time/random.ts";
import {
  bucketStart,
  type LatencyBlock,
} from "../../lib/model/result/latency.ts";
import {
  type DifferenceBounds,
  differenceBounds,
  rateBounds,
} from "../../lib/results/statistics/difference_bounds.ts";
import { normalQuantile } from "../../lib/results/statistics/distributions.ts";
import { LatencyGroups } from "../../lib/results/statistics/latency_groups.ts";
import { percentileBounds } from "../../lib/results/statistics/percentile_bounds.ts";
import { replicatedPercentile } from "../../lib/results/statistics/replicated.ts";
import { theilSen } from "../../lib/results/statistics/drift.ts";
import { levels, normals, simulatedRun } from "./draws.ts";

/** A simulated run: how long, how busy, and how its seconds hang together. */
export interface Scenario {
  readonly seconds: number;
  readonly perSecond: number;
  /** Spread of the seconds' medians, as a share of them. */
  readonly between: number;
  /** Correlation of one second with the next. */
  readonly correlation: number;
}

/** In how many of the simulated runs the truth lay within the bounds. */
export interface Coverage {
  /** Of those with bounds. */
  readonly covered: number;
  /** Of all. */
  readonly shown: number;
}

const WITHIN = 0.3;

/** Which draws: so many, from that one on. */
export interface Draws {
  readonly count: number;
  readonly first: number;
}

/** A run of the scenario, another one for each number. */
function runOf(scenario: Scenario, draw: number): LatencyGroups {
  const { seconds, perSecond, between, correlation } = scenario;
  const target = { ms: 20, within: WITHIN, between, correlation };
  return new LatencyGroups(
    simulatedRun(target, seconds, perSecond, draw * 7_919 + 1),
  );
}

function coverageOf<T>(
  { count, first }: Draws,
  make: (draw: number) => T,
  bounds: readonly ((one: T) => boolean | undefined)[],
): Coverage[] {
  // One after the other: a thousand runs at once are a lot of memory.
  const found = Array.from({ length: count }, (_, i) => {
    const one = make(first + i);
    return bounds.map((each) => each(one));
  });
  return bounds.map((_, i) => shareOf(found.map((each) => each[i])));
}

function shareOf(all: readonly (boolean | undefined)[]): Coverage {
  const shown = all.filter((one) => one !== undefined);
  const covered = shown.filter((one) => one).length;
  return {
    covered: covered / Math.max(1, shown.length),
    shown: shown.length / all.length,
  };
}

/** Of the bounds of a percentile of one run. */
export function percentileCoverage(
  scenario: Scenario,
  percentiles: readonly number[],
  draws: Draws,
): Coverage[] {
  return coverageOf(
    draws,
    (draw) => runOf(scenario, draw),
    percentiles.map((p) => (samples: LatencyGroups) => {
      const bounds = percentileBounds(samples, p);
      if (!bounds) return;
      const truth = 20_000 * Math.exp(
        normalQuantile(p / 100) * Math.hypot(WITHIN, scenario.between),
      );
      const rank = shareBelow(samples.together, truth) * 100;
      return bounds.low <= rank && rank <= bounds.high;
    }),
  );
}

function shareBelow({ buckets, counts }: LatencyBlock, us: number): number {
  let below = 0;
  let total = 0;
  buckets.forEach((bucket, i) => {
    const [start, end] = [bucketStart(bucket), bucketStart(bucket + 1)];
    total += counts[i]!;
    below += counts[i]! *
      Math.min(1, Math.max(0, (us - start) / (end - start)));
  });
  return below / total;
}

/** Of the bounds of the ratio of a percentile in two runs of the same target. */
export function ratioCoverage(
  scenario: Scenario,
  percentiles: readonly number[],
  draws: Draws,
): Coverage[] {
  return coverageOf(
    draws,
    (draw) => [runOf(scenario, draw), runOf(scenario, draw + 5_000_000)],
    percentiles.map((p) => (pair: readonly LatencyGroups[]) => {
      const [a, b] = pair.map((each, i) =>
        replicatedPercentile(each, p, i + 1)
      );
      return holdsZero(differenceBounds(a!, b!, 0.95));
    }),
  );
}

function holdsZero({ low, high }: DifferenceBounds): boolean {
  return low <= 0 && 0 <= high;
}

/** Of the bounds of error rates, whose seconds differ as `between` says. */
export function rateCoverage(
  { seconds, perSecond, between, correlation }: Scenario,
  rate: number,
  draws: Draws,
): Coverage {
  return coverageOf(draws, (draw) => {
    const random = seededRandom(draw * 7_919 + 3);
    const level = levels(normals(random), correlation);
    const of = Array<number>(seconds).fill(perSecond);
    const hits = of.map((iterations) => {
      const now = rate * Math.exp(between * level() - between ** 2 / 2);
      let hit = 0;
      for (let n = 0; n < iterations; n++) if (random() < now) hit++;
      return hit;
    });
    return rateBounds(hits, of, 0.95);
  }, [(bounds) => bounds && bounds.low <= rate && rate <= bounds.high])[0]!;
}

/** Of the bounds of a slope, in noise whose neighbours are alike. */
export function slopeCoverage(
  { seconds: points, correlation }: Pick<Scenario, "seconds" | "correlation">,
  draws: Draws,
): Coverage {
  const slope = 0.05;
  return coverageOf(draws, (draw) => {
    const level = levels(normals(seededRandom(draw * 7_919 + 5)), correlation);
    return theilSen(
      Array.from({ length: points }, (_, x) => ({ x, y: slope * x + level() })),
    );
  }, [(found) => found && found.low <= slope && slope <= found.high])[0]!;
}
