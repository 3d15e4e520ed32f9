import { seededRandom } from "../../base/time/random.ts";
import type { LatencyGroups } from "./latency_groups.ts";
import type { LongRun } from "./long_run.ts";
import {
  blockTotal,
  bucketStart,
  type LatencyBlock,
} from "../../model/result/latency.ts";

/** How often a statistic is computed anew. */
const REPLICATES = 1_000;

/** A statistic, and by how much it might have come out otherwise. */
export interface Replicated {
  readonly value: number;
  /** The differences of replicates from it, in the order they were drawn. */
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

/** How far a resampled percentile may stray, in standard deviations of its rank. */
const REACH = 8;
/** Bins a percentile is looked for in. */
const MOST_BINS = 128;

/**
 * The samples around one percentile, by group, so that the percentile of any
 * blocks of them is quickly found: of the samples below an edge, of few edges.
 */
class PercentileWindow {
  /** Where the bins begin, and where the last one ends; logarithms. */
  readonly #edges: readonly number[];
  /** By edge, the samples below it in the block that begins at each group. */
  readonly #below: readonly Float64Array[];
  /** All samples of that block. */
  readonly #totals: Float64Array;
  /** The logarithm of the percentile of all samples. */
  readonly whole: number;

  constructor(
    samples: LatencyGroups,
    readonly percentile: number,
    block: number,
  ) {
    const firsts = binsOf(samples, percentile);
    const { groups } = samples;
    this.#edges = firsts.map((bucket) =>
      Math.log(Math.max(0.5, bucketStart(bucket)))
    );
    const below = firsts.map(() => new Float64Array(groups.length));
    groups.forEach((group, at) => fill(below, at, group, firsts));
    const totals = Float64Array.from(groups, blockTotal);
    this.#below = below.map((each) => blockSums(each, block));
    this.#totals = blockSums(totals, block);
    const all = sumOf(totals) * percentile / 100;
    this.whole = this.#at(all, (edge) => sumOf(below[edge]!));
  }

  /** The logarithm of the percentile of the blocks that begin at `starts`. */
  of(starts: Uint32Array): number {
    const rank = sumAt(this.#totals, starts) * this.percentile / 100;
    return this.#at(rank, (edge) => sumAt(this.#below[edge]!, starts));
  }

  /** @param below how many samples lie below an edge */
  #at(rank: number, below: (edge: number) => number): number {
    let [low, high] = [0, this.#edges.length - 1];
    let [under, upTo] = [below(low), below(high)];
    if (under >= rank) return this.#edges[low]!;
    if (upTo < rank) return this.#edges[high]!;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const count = below(middle);
      if (count < rank) [low, under] = [middle, count];
      else [high, upTo] = [middle, count];
    }
    const [from, to] = [this.#edges[low]!, this.#edges[high]!];
    return from + (rank - under) / (upTo - under) * (to - from);
  }
}

/** The sum of each block of a series, by where it begins. */
function blockSums(values: Float64Array, block: number): Float64Array {
  const { length } = values;
  return values.map((_, start) => {
    let all = 0;
    for (let i = 0; i < block; i++) all += values[(start + i) % length]!;
    return all;
  });
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((all, each) => all + each, 0);
}

function sumAt(counts: Float64Array, starts: Uint32Array): number {
  let all = 0;
  for (let i = 0; i < starts.length; i++) all += counts[starts[i]!]!;
  return all;
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

/** Counts the samples of one group below each edge. */
function fill(
  below: readonly Float64Array[],
  at: number,
  { buckets, counts }: LatencyBlock,
  firsts: readonly number[],
): void {
  let sample = 0;
  let count = 0;
  firsts.forEach((first, edge) => {
    while (sample < buckets.length && buckets[sample]! < first) {
      count += counts[sample++]!;
    }
    below[edge]![at] = count;
  });
}
