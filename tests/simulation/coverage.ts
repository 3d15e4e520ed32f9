import { seededRandom } from "../../lib/base/time/random.ts";
import {
  bucketStart,
  type LatencyBlock,
} from "../../lib/model/result/latency_block.ts";
import {
  type DifferenceBounds,
  differenceBounds,
} from "../../lib/results/statistics/difference_bounds.ts";
import { normalQuantile } from "../../lib/results/statistics/distributions.ts";
import { LatencyGroups } from "../../lib/results/statistics/latency_groups.ts";
import { percentileBounds } from "../../lib/results/statistics/percentile_bounds.ts";
import { rateBounds } from "../../lib/results/statistics/rate_bounds.ts";
import { replicatedPercentile } from "../../lib/results/statistics/replicated.ts";
import { theilSen } from "../../lib/results/statistics/theil_sen.ts";
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

/** Runs of the same scenario with other draws. */
function runs(scenario: Scenario, count: number, from = 0): LatencyBlock[][] {
  const { seconds, perSecond, between, correlation } = scenario;
  const target = { ms: 20, within: WITHIN, between, correlation };
  return Array.from(
    { length: count },
    (_, i) => simulatedRun(target, seconds, perSecond, (from + i) * 7_919 + 1),
  );
}

function coverageOf<T>(
  each: readonly T[],
  bounds: (one: T, index: number) => boolean | undefined,
): Coverage {
  const all = each.map(bounds);
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
  count: number,
): Coverage[] {
  const all = runs(scenario, count).map((run) => new LatencyGroups(run));
  return percentiles.map((p) =>
    coverageOf(all, (samples) => {
      const bounds = percentileBounds(samples, p);
      if (!bounds) return;
      const truth = 20_000 * Math.exp(
        normalQuantile(p / 100) * Math.hypot(WITHIN, scenario.between),
      );
      const rank = shareBelow(samples.together, truth) * 100;
      return bounds.low <= rank && rank <= bounds.high;
    })
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
  count: number,
): Coverage[] {
  const pairs = runs(scenario, count).map((run, i) => [
    new LatencyGroups(run),
    new LatencyGroups(runs(scenario, 1, count + i)[0]!),
  ]);
  return percentiles.map((p) =>
    coverageOf(pairs, (pair) => {
      const [a, b] = pair.map((each, i) =>
        replicatedPercentile(each, p, i + 1)
      );
      return holdsZero(differenceBounds(a!, b!, 0.95));
    })
  );
}

function holdsZero({ low, high }: DifferenceBounds): boolean {
  return low <= 0 && 0 <= high;
}

/** Of the bounds of an error rate, whose seconds differ as `between` says. */
export function rateCoverage(
  { seconds, perSecond, between, correlation }: Scenario,
  rate: number,
  count: number,
): Coverage {
  return coverageOf(Array.from({ length: count }), (_, i) => {
    const random = seededRandom(i * 7_919 + 3);
    const level = levels(normals(random), correlation);
    const of = Array<number>(seconds).fill(perSecond);
    const hits = of.map((iterations) => {
      const now = rate * Math.exp(between * level() - between ** 2 / 2);
      let hit = 0;
      for (let n = 0; n < iterations; n++) if (random() < now) hit++;
      return hit;
    });
    const bounds = rateBounds(hits, of, 0.95);
    return bounds && bounds.low <= rate && rate <= bounds.high;
  });
}

/** Of the bounds of a slope, in noise whose neighbours are alike. */
export function slopeCoverage(
  { seconds: points, correlation }: Pick<Scenario, "seconds" | "correlation">,
  count: number,
): Coverage {
  const slope = 0.05;
  return coverageOf(Array.from({ length: count }), (_, i) => {
    const level = levels(normals(seededRandom(i * 7_919 + 5)), correlation);
    const found = theilSen(
      Array.from({ length: points }, (_, x) => ({ x, y: slope * x + level() })),
    );
    return found && found.low <= slope && slope <= found.high;
  });
}
