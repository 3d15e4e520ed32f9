import { type Random, seededRandom } from "../../lib/base/time/random.ts";
import {
  blockOf,
  bucketOf,
  BUCKETS,
  type LatencyBlock,
} from "../../lib/model/result/latency_block.ts";

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
    const counts = new Uint32Array(BUCKETS);
    const median = ms * 1_000 * Math.exp(between * level());
    for (let i = 0; i < perSecond; i++) {
      const us = Math.round(median * Math.exp(within * normal()));
      counts[bucketOf(us)]!++;
    }
    return blockOf(counts);
  });
}
