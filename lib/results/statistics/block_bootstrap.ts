import { type Random, seededRandom } from "../../base/time/random.ts";

/** How a series is drawn again. */
interface Resampling {
  /** Values in the series. */
  readonly length: number;
  /** Neighbours that are drawn together, because they are alike. */
  readonly block: number;
  readonly replicates: number;
  readonly seed: number;
}

/** How often a statistic is computed anew. */
export const REPLICATES = 1_000;

/**
 * The circular block bootstrap: series of the same length, put together from
 * blocks of the one there is, each beginning anywhere and going round its end.
 * Draws the same blocks for the same seed.
 *
 * @param statistic of the blocks that begin at `starts`; not kept after the call
 */
export function blockBootstrap<T>(
  { length, block, replicates, seed }: Resampling,
  statistic: (starts: Uint32Array) => T,
): T[] {
  const random = seededRandom(seed);
  const starts = new Uint32Array(Math.max(1, Math.round(length / block)));
  return Array.from({ length: replicates }, () => {
    draw(starts, length, random);
    return statistic(starts);
  });
}

function draw(starts: Uint32Array, length: number, random: Random): void {
  for (let i = 0; i < starts.length; i++) {
    starts[i] = Math.floor(random() * length);
  }
}

/** The sum of each block of a series, by where it begins. */
export function blockSums(values: Float64Array, block: number): Float64Array {
  const { length } = values;
  return values.map((_, start) => {
    let all = 0;
    for (let i = 0; i < block; i++) all += values[(start + i) % length]!;
    return all;
  });
}
