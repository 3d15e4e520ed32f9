import { sum } from "../../base/values/sum.ts";
import {
  blockTotal,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import {
  type DifferenceBounds,
  differenceBounds,
  type LogRatio,
  logRatio,
  logRatioBounds,
} from "../statistics/difference_bounds.ts";
import { studentQuantile } from "../statistics/distributions.ts";
import { meanAndVariance } from "../statistics/long_run.ts";
import { groupSize, LatencyGroups } from "../statistics/latency_groups.ts";
import {
  type Replicated,
  replicatedPercentile,
} from "../statistics/replicated.ts";
import { leastSamples } from "../statistics/sample_floor.ts";

/** From so many base runs on, what lies between them is known. */
const ENOUGH_RUNS = 3;
/** How far a run may lie from the others by chance. */
const BETWEEN_RUNS = 0.95;

/** Latencies of one run, or of one step of it. */
type LatencySide = readonly LatencyBlock[];

/** What is compared, and how. */
interface Sides {
  readonly bases: readonly LatencySide[];
  readonly candidate: LatencySide;
  /** Measured in the same seconds. */
  readonly paired: boolean;
  readonly confidence: number;
}

/** What is compared. */
export class LatencyChange {
  readonly #bases: readonly LatencyGroups[];
  readonly #candidate: LatencyGroups;
  readonly #pair: LogRatio | undefined;
  readonly #confidence: number;

  constructor({ bases, candidate, paired, confidence }: Sides) {
    const all = [candidate, ...bases];
    const size = paired ? Math.max(...all.map(sizeOf)) : undefined;
    const [first, ...rest] = all.map((each) => new LatencyGroups(each, size));
    this.#candidate = first!;
    this.#bases = rest;
    this.#pair = paired ? logRatio(rest[0]!, first!) : undefined;
    this.#confidence = confidence;
  }

  /**
   * By how much a percentile changed: bounds of the ratio's logarithm, or why
   * there are none.
   */
  percentile(percentile: number): DifferenceBounds | string {
    const least = leastSamples(percentile);
    const all = [...this.#bases, this.#candidate];
    const fewest = Math.min(...all.map(({ total }) => total));
    if (fewest < least) return `too few samples: ${fewest} of ${least}`;
    const run = this.#pair?.longRun;
    const each = this.#bases.map((base, i) =>
      replicatedPercentile(base, percentile, run ? 1 : i + 2, run)
    );
    const found = differenceBounds(
      meanOf(each),
      replicatedPercentile(this.#candidate, percentile, 1, run),
      this.#confidence,
    );
    return acrossRuns(found, each.map(({ value }) => value));
  }

  /** Of the geometric mean, of runs that were measured in the same seconds. */
  typical(): DifferenceBounds | undefined {
    return this.#pair && logRatioBounds(this.#pair, this.#confidence);
  }
}

function sizeOf(blocks: readonly LatencyBlock[]): number {
  return groupSize(blocks.length, sum(blocks, blockTotal));
}

/** Of several base runs the mean. */
function meanOf(each: readonly Replicated[]): Replicated {
  const [only] = each;
  if (each.length === 1) return only!;
  const mean = (pick: (one: Replicated) => number) =>
    sum(each, pick) / each.length;
  return {
    value: mean(({ value }) => value),
    away: only!.away.map((_, i) => mean(({ away }) => away[i]!)),
    share: mean(({ share }) => share),
    degrees: sum(each, ({ degrees }) => degrees),
  };
}

/** The bounds, no narrower than what lies between base runs. */
export function acrossRuns(
  { value, low, high }: DifferenceBounds,
  bases: readonly number[],
): DifferenceBounds {
  const between = betweenRuns(bases);
  return {
    value,
    low: Math.min(low, value - between),
    high: Math.max(high, value + between),
  };
}

/** How far one more run may lie from the mean of these; 0 when it is unknown. */
function betweenRuns(values: readonly number[]): number {
  const { length } = values;
  if (length < ENOUGH_RUNS) return 0;
  const { variance } = meanAndVariance(values);
  return studentQuantile((1 + BETWEEN_RUNS) / 2, length - 1) *
    Math.sqrt(variance * (1 + 1 / length));
}
