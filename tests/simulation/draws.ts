import { type Random, seededRandom } from "../../lib/base/time/random.ts";
import { bucketOf, type LatencyBlock } from "../../lib/model/result/latency.ts";

/** Standard normal numbers, the same ones for the same seed. */
export function normals(random: Random): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Standard normal numbers, each correlated with the one before. */
export function levels(
  normal: () => number,
  correlation: number,
): () => number {
  let level = normal();
  return () => {
    const now = level;
    level = correlation * level +
      Math.sqrt(1 - correlation * correlation) * normal();
    return now;
  };
}

/** A target whose seconds are alike, and hang together. */
export interface Target {
  /** Median latency in milliseconds. */
  readonly ms: number;
  /** Spread of the logarithm of the latency within a second, and of a second's median. */
  readonly within: number;
  readonly between: number;
  /** Correlation of one second with the next. */
  readonly correlation: number;
}

/** A simulated run: a block for each second. */
export function simulatedRun(
  { ms, within, between, correlation }: Target,
  seconds: number,
  perSecond: number,
  seed: number,
): LatencyBlock[] {
  const normal = normals(seededRandom(seed));
  const level = levels(normal, correlation);
  return Array.from({ length: seconds }, () => {
    const median = ms * 1_000 * Math.exp(between * level());
    return second(median, within, perSecond, normal);
  });
}

/**
 * Two runs in the same seconds: what made a second slow made it slow for both. A
 * tenth of what seconds differ by is each side's own.
 */
export function pairedRuns(
  { ms, within, between, correlation }: Target,
  slower: number,
  seconds: number,
  perSecond: number,
  seed: number,
): LatencyBlock[][] {
  const normal = normals(seededRandom(seed));
  const common = levels(normal, correlation);
  const both: LatencyBlock[][] = [[], []];
  for (let t = 0; t < seconds; t++) {
    const level = between * common();
    [1, slower].forEach((factor, side) => {
      const own = between * 0.1 * normal();
      const median = ms * factor * 1_000 * Math.exp(level + own);
      both[side]!.push(second(median, within, perSecond, normal));
    });
  }
  return both;
}

function second(
  median: number,
  within: number,
  perSecond: number,
  normal: () => number,
): LatencyBlock {
  const drawn = new Uint16Array(perSecond);
  for (let i = 0; i < perSecond; i++) {
    drawn[i] = bucketOf(Math.round(median * Math.exp(within * normal())));
  }
  const buckets: number[] = [];
  const counts: number[] = [];
  for (const bucket of drawn.sort()) {
    if (buckets.at(-1) === bucket) counts[counts.length - 1]!++;
    else {
      buckets.push(bucket);
      counts.push(1);
    }
  }
  return {
    buckets: Uint16Array.from(buckets),
    counts: Uint32Array.from(counts),
  };
}
