import { seededRandom } from "../../base/time/random.ts";
import type { LatencyGroups } from "./latency_groups.ts";
import type { LongRun } from "./long_run.ts";
import { PercentileWindow } from "./percentile_window.ts";

/** How often a statistic is computed anew. */
const REPLICATES = 1_000;

/** A statistic, and by how much it might have come out otherwise. */
export interface Replicated {
  readonly value: number;
  /** What replicates differ from it by, in the order they were drawn. */
  readonly away: readonly number[];
  /** How much of their variance goes by an estimated correlation. */
  readonly share: number;
  /** Degrees of freedom of that estimate. */
  readonly degrees: number;
}

/**
 * The logarithm of a percentile, by the circular block bootstrap: series of the
 * same length, put together from blocks of the one there is, each beginning
 * anywhere and going round its end. Draws the same blocks for the same seed.
 *
 * @param paired how the difference of two runs hangs together, when both were
 *   measured in the same seconds: what they have in common cancels out
 */
export function replicatedPercentile(
  samples: LatencyGroups,
  percentile: number,
  seed: number,
  paired?: LongRun,
): Replicated {
  const { length } = samples.groups;
  const longRun = paired ?? samples.longRun;
  const share = paired ? 1 : samples.design(percentile).share;
  const block = blockLength(longRun, length);
  const window = new PercentileWindow(samples, percentile, block);
  const value = window.whole;
  const wider = widening(longRun, block, length, share);
  const random = seededRandom(seed);
  const starts = new Uint32Array(Math.max(1, Math.round(length / block)));
  const away = Array.from({ length: REPLICATES }, () => {
    for (let i = 0; i < starts.length; i++) {
      starts[i] = Math.floor(random() * length);
    }
    return (window.of(starts) - value) * wider;
  });
  return { value, away, share, degrees: longRun.degrees };
}

/** Neighbours that are drawn together: for as long as seconds are alike. */
function blockLength({ factor }: LongRun, length: number): number {
  return Math.max(1, Math.min(Math.floor(length / 5), Math.ceil(factor)));
}

/**
 * By how much replicates differ too little: blocks cut the correlation at their
 * ends, and a few of them vary less than many. For a correlation that falls
 * evenly, that of a first-order autoregression.
 */
function widening(
  { factor }: LongRun,
  block: number,
  length: number,
  share: number,
): number {
  const r = (factor - 1) / (factor + 1);
  const seen = factor - 2 * r * (1 - r ** block) / (block * (1 - r) ** 2);
  const blocks = Math.max(2, length / block);
  const left = 1 - share + share * seen / factor;
  return Math.sqrt(blocks / (blocks - 1) / left);
}
