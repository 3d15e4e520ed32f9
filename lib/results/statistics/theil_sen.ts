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
 * that are alike make it larger.
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
  const run = longRun(rests.map((each) => each - intercept));
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

function middle(sorted: ArrayLike<number>): number {
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[half]!
    : (sorted[half - 1]! + sorted[half]!) / 2;
}
