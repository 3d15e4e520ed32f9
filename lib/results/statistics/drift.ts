import { sum } from "../../base/values/sum.ts";
import type { Drift, DriftFigure } from "../../model/result/findings.ts";
import {
  blockPercentile,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency.ts";
import { estimatedWidth, normalQuantile } from "./distributions.ts";
import { longRun } from "./long_run.ts";

/** A point of a series that is not sampled evenly. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How fast a series rises, and between which bounds it truly does. */
interface Slope {
  /** `y` for each `x`. */
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** Of the line: half of the points lie above it. */
  readonly intercept: number;
}

/** With which the true slope lies between the bounds. */
const CONFIDENCE = 0.95;
/** Fewer points have no bounds at all at 95 %. */
const LEAST_POINTS = 5;

/**
 * The median of the slopes between any two points (Theil, 1950; Sen, 1968): a
 * stall, or a third of the points gone astray, does not move it. The bounds are
 * order statistics of those slopes, by the variance of Kendall's tau; neighbours
 * that are alike make it larger (Hamed and Rao, 1998: by their ranks, so that a stall
 * does not hide a slope either).
 *
 * @returns undefined for fewer than 5 points of different `x`
 */
export function theilSen(points: readonly Point[]): Slope | undefined {
  const slopes = slopesOf(points);
  if (points.length < LEAST_POINTS || slopes.length < LEAST_POINTS) return;
  const slope = middle(slopes);
  const rests = points.map(({ x, y }) => y - slope * x);
  const intercept = middle(rests.toSorted((a, b) => a - b));
  const n = points.length;
  const run = longRun(ranksOf(rests));
  const variance = n * (n - 1) * (2 * n + 5) / 18 * run.factor;
  const off = normalQuantile((1 + CONFIDENCE) / 2) * Math.sqrt(variance) *
    estimatedWidth(1 - 1 / run.factor, run.degrees, CONFIDENCE);
  const low = Math.floor((slopes.length - off) / 2);
  if (low < 0) return;
  return {
    slope,
    low: slopes[low]!,
    high: slopes[slopes.length - 1 - low]!,
    intercept,
  };
}

function slopesOf(points: readonly Point[]): Float64Array {
  const slopes: number[] = [];
  points.forEach((a, i) => {
    for (let j = i + 1; j < points.length; j++) {
      const b = points[j]!;
      if (a.x !== b.x) slopes.push((b.y - a.y) / (b.x - a.x));
    }
  });
  return Float64Array.from(slopes).sort();
}

/** The place of each value among all of them; equal ones share the middle of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return values.map((each) =>
    (sorted.indexOf(each) + sorted.lastIndexOf(each)) / 2
  );
}

function middle(sorted: ArrayLike<number>): number {
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[half]!
    : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The figures of a soak run that drift is looked for in. */
export interface DriftEvidence {
  readonly durationMs: number;
  /** Of stretches of equal length, in order. */
  readonly latency: readonly LatencyBlock[];
  /** By second. */
  readonly completed: readonly number[];
  readonly failed: readonly number[];
  /** Of the target's machine, where an agent read it; milliseconds since the start. */
  readonly readings: readonly {
    readonly at: number;
    readonly memory: number | null;
    readonly cpu: number | null;
    readonly openFiles: number | null;
  }[];
}

const SHORTEST_MS = 30_000;
const LEAST_WINDOWS = 12;
const MOST_WINDOWS = 60;
const HOUR_MS = 3_600_000;

/** How fast figures rose over the run, by a slope that a stall does not move. */
export function driftOf(evidence: DriftEvidence): Drift {
  const { durationMs, latency, completed, failed, readings } = evidence;
  const windows = Math.min(MOST_WINDOWS, latency.length);
  if (durationMs < SHORTEST_MS || windows < LEAST_WINDOWS) {
    return { windows: 0, figures: [] };
  }
  const at = (window: number) => (window + 0.5) * durationMs / windows;
  const p95 = windowed(latency, windows).map((blocks, i) => ({
    x: at(i),
    y: blockPercentile(joinBlocks(blocks), 95) / 1_000,
  }));
  const ended = windowed(completed, windows).map(total);
  const errors = windowed(failed, windows).map((each, i) => ({
    x: at(i),
    y: ended[i] === 0 ? NaN : total(each) / ended[i]!,
  }));
  const read = (pick: "memory" | "cpu" | "openFiles"): Point[] =>
    thinned(readings).map((each) => ({ x: each.at, y: each[pick] ?? NaN }));
  return {
    windows,
    figures: [
      ...figureOf("p95", "ms", p95),
      ...figureOf("error_rate", "share", errors),
      ...figureOf("target_memory", "bytes", read("memory")),
      ...figureOf("target_cpu", "share", read("cpu")),
      ...figureOf("target_open_files", "count", read("openFiles")),
    ],
  };
}

function figureOf(
  metric: DriftFigure["metric"],
  unit: DriftFigure["unit"],
  points: readonly Point[],
): DriftFigure[] {
  const known = points.filter(({ y }) => !Number.isNaN(y));
  if (known.length === 0) return [];
  const slope = known.length < LEAST_WINDOWS ? undefined : theilSen(known);
  if (!slope) {
    const bounds = { per_hour: null, low: null, high: null };
    return [{ metric, unit, ...bounds, verdict: "unclear" }];
  }
  const [per_hour, low, high] = [slope.slope, slope.low, slope.high].map((
    each,
  ) => Number((each * HOUR_MS).toPrecision(6)));
  const verdict = low! > 0 ? "grew" : high! < 0 ? "fell" : "steady";
  return [{
    metric,
    unit,
    per_hour: per_hour!,
    low: low!,
    high: high!,
    verdict,
  }];
}

/** The same number of neighbours in each window. */
function windowed<T>(items: readonly T[], windows: number): T[][] {
  const size = items.length / windows;
  return Array.from(
    { length: windows },
    (_, i) => items.slice(Math.round(i * size), Math.round((i + 1) * size)),
  );
}

/** No more readings than windows: Theil-Sen looks at every pair. */
function thinned<T>(items: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / MOST_WINDOWS));
  return items.filter((_, i) => i % step === 0);
}

function total(values: readonly number[]): number {
  return sum(values, (each) => each);
}
