import { sum } from "../../base/values/sum.ts";
import { blockTotal, type LatencyBlock } from "../../model/result/latency.ts";
import {
  type DifferenceBounds,
  differenceBounds,
  type LogRatio,
  logRatio,
  logRatioBounds,
} from "../statistics/difference_bounds.ts";
import { studentQuantile } from "../statistics/distributions.ts";
import { groupSize, LatencyGroups } from "../statistics/latency_groups.ts";
import { meanAndVariance } from "../statistics/long_run.ts";
import {
  type Replicated,
  replicatedPercentile,
} from "../statistics/replicated.ts";
import { leastSamples } from "../statistics/sample_floor.ts";
import type { ComparedFigure, ComparisonVerdict } from "./comparison.ts";

/** Rates that differ by less than a point are the same, if neither is surely worse. */
const SAME_POINTS = 0.01;
/** More than so many times as long is no advice, unless it is an hour at the most. */
const LONGEST = 100;
const LONGEST_SECONDS = 3_600;

type Judged = Pick<ComparedFigure, "change" | "verdict" | "detail">;

/** How changes are judged. */
interface Margins {
  /** A change that surely lies within it is none. */
  readonly margin: number;
  /**
   * Runs in the same seconds: any other change that is surely there counts, while
   * one between runs of different times must lie beyond the margin as a whole.
   */
  readonly paired: boolean;
  /** Of the candidate. */
  readonly durationMs: number;
}

/**
 * Judges a ratio by the bounds of its logarithm.
 *
 * @param worse which direction is worse
 */
export function judgeRatio(
  { value, low, high }: DifferenceBounds,
  { margin, paired, durationMs }: Margins,
  worse: "more" | "less",
): Judged {
  const change = {
    value: Math.expm1(value),
    low: Math.expm1(low),
    high: Math.expm1(high),
  };
  const same = Math.log1p(margin);
  const edge = paired ? 0 : same;
  const sign = worse === "more" ? 1 : -1;
  const [least, most] = sign > 0 ? [low, high] : [-high, -low];
  const verdict = verdictOf(least, most, edge, same);
  if (verdict !== "unclear") return { change, verdict };
  const room = roomFor(Math.abs(value), edge, same);
  const detail = longer((high - low) / 2, room, durationMs);
  return { change, verdict, detail };
}

/** Judges a difference of shares: of iterations that failed, or were throttled. */
export function judgeShare(
  change: DifferenceBounds,
  base: number,
  { margin, durationMs }: Pick<Margins, "margin" | "durationMs">,
): Judged {
  const edge = base * margin;
  const same = Math.max(edge, SAME_POINTS);
  const verdict = verdictOf(change.low, change.high, edge, same);
  if (verdict !== "unclear") return { change, verdict };
  const half = (change.high - change.low) / 2;
  const room = roomFor(Math.abs(change.value), edge, same);
  const detail = longer(half, room, durationMs);
  return { change, verdict, detail };
}

/** @param same within which the bounds must lie for there to be no change */
function verdictOf(
  least: number,
  most: number,
  edge: number,
  same: number,
): ComparisonVerdict {
  if (least >= -same && most <= same) return "same";
  if (least > edge) return "worse";
  return most < -edge ? "better" : "unclear";
}

/** How wide to either side an interval may be to lie beyond the edge, or within `same`. */
function roomFor(value: number, edge: number, same: number): number {
  return Math.max(value - edge, same - value, same / 4);
}

/** An interval is half as wide after four times as long. */
function longer(half: number, room: number, durationMs: number): string {
  const times = Math.max(1.5, (half / room) ** 2);
  const seconds = Math.ceil(durationMs * times / 10_000) * 10;
  if (times > LONGEST && seconds > LONGEST_SECONDS) {
    return "the seconds differ too much: a longer run does not help";
  }
  const text = seconds >= 120 ? `${Math.ceil(seconds / 60)}m` : `${seconds}s`;
  return `measure about ${text}`;
}

/** From so many base runs on, what lies between them is known. */
const ENOUGH_RUNS = 3;
/** How far a run may lie from the others by chance. */
const BETWEEN_RUNS = 0.95;

/** Latencies of one run, or of one step of it. */
type LatencySide = readonly LatencyBlock[];

/** The sides of a comparison, and how they are compared. */
interface Sides {
  readonly bases: readonly LatencySide[];
  readonly candidate: LatencySide;
  /** Measured in the same seconds. */
  readonly paired: boolean;
  readonly confidence: number;
}

/** The change of a latency between the sides. */
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
