import {
  bucketStart,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import { blockSums } from "./block_bootstrap.ts";
import type { LatencyGroups } from "./latency_groups.ts";

/** How far a resampled percentile may stray, in standard deviations of its rank. */
const REACH = 8;
/** Bins a percentile is looked for in. */
const MOST_BINS = 128;

/**
 * The samples around one percentile, by group, so that the percentile of any
 * blocks of them is quickly found: all that lies lower is one number a group.
 */
export class PercentileWindow {
  /** Where the bins begin, and where the last one ends; logarithms. */
  readonly #edges: number[];
  /** A row a block: samples in all, below the first bin, in each bin. */
  readonly #sums: Float64Array;
  readonly #width: number;
  /** The logarithm of the percentile of all samples. */
  readonly whole: number;

  constructor(
    samples: LatencyGroups,
    readonly percentile: number,
    block: number,
  ) {
    const firsts = binsOf(samples, percentile);
    this.#width = firsts.length + 1;
    this.#edges = firsts.map((bucket) =>
      Math.log(Math.max(0.5, bucketStart(bucket)))
    );
    const rows = new Float64Array(samples.groups.length * this.#width);
    samples.groups.forEach((group, at) => {
      const row = at * this.#width;
      fill(rows.subarray(row, row + this.#width), group, firsts);
    });
    this.#sums = blockSums(rows, this.#width, block);
    const whole = new Float64Array(this.#width);
    rows.forEach((count, i) => whole[i % this.#width]! += count);
    this.whole = this.#at(whole);
  }

  /** The logarithm of the percentile of the blocks that begin at `starts`. */
  of(starts: Uint32Array): number {
    const row = new Float64Array(this.#width);
    for (const start of starts) {
      const from = start * this.#width;
      for (let i = 0; i < this.#width; i++) row[i]! += this.#sums[from + i]!;
    }
    return this.#at(row);
  }

  #at(row: Float64Array): number {
    const rank = row[0]! * this.percentile / 100;
    let below = row[1]!;
    for (let bin = 2; bin < this.#width; bin++) {
      const inside = row[bin]!;
      if (inside > 0 && below + inside >= rank) {
        const [low, high] = [this.#edges[bin - 2]!, this.#edges[bin - 1]!];
        const part = Math.max(0, rank - below) / inside;
        return low + part * (high - low);
      }
      below += inside;
    }
    return this.#edges.at(-1)!;
  }
}

/** The buckets that bins begin with; the last one ends the last bin. */
function binsOf(samples: LatencyGroups, percentile: number): number[] {
  const { together: { buckets, counts }, total } = samples;
  const p = percentile / 100;
  const { effect } = samples.design(percentile);
  const reach = REACH * Math.sqrt(p * (1 - p) * effect / total);
  let below = 0;
  const inside: number[] = [];
  buckets.forEach((bucket, i) => {
    const until = below + counts[i]!;
    if (until >= (p - reach) * total && below <= (p + reach) * total) {
      // Both ends, so that no bin spreads its samples over a gap.
      inside.push(bucket, bucket + 1);
    }
    below = until;
  });
  const edges = [...new Set(inside)];
  const step = Math.ceil(edges.length / MOST_BINS);
  const last = edges.at(-1) ?? 0;
  return [
    ...edges.filter((_, i) => i % step === 0 && i < edges.length - 1),
    last,
  ];
}

function fill(
  row: Float64Array,
  { buckets, counts }: LatencyBlock,
  firsts: readonly number[],
): void {
  let bin = -1;
  for (let i = 0; i < buckets.length; i++) {
    while (bin + 1 < firsts.length && buckets[i]! >= firsts[bin + 1]!) bin++;
    row[0]! += counts[i]!;
    // What lies beyond the last bin is in no cell but the first.
    if (bin < firsts.length - 1) row[bin + 2]! += counts[i]!;
  }
}
