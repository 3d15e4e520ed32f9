import { countAt, type Counts } from "../../base/values/counts.ts";
import {
  blockOf,
  bucketOf,
  BUCKETS,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency.ts";

/** Latencies by stretches of a run: equally long, the first one from its start. */
export interface StretchesData {
  /** How long a stretch is, in milliseconds. */
  readonly ms: number;
  readonly blocks: readonly LatencyBlock[];
}

const EMPTY: LatencyBlock = {
  buckets: new Uint16Array(0),
  counts: new Uint8Array(0),
};

/** Even: neighbours are put together when there are so many. */
const MOST = 512;
const LONGEST_US = 3_600_000_000;

/**
 * Latencies by the second, in bounded memory: a run of more than 512 seconds has
 * stretches of two, then of four, and so on.
 *
 * Time only moves forward: what arrives for a closed stretch counts in the open
 * one.
 */
export class LatencyStretches {
  #closed: LatencyBlock[] = [];
  #counts: Counts = new Uint8Array(BUCKETS);
  #ms = 1_000;
  /** When the open stretch ends, on the run's clock. */
  #ends: number;

  /** @param start the run's start on the run's clock, in milliseconds */
  constructor(readonly start: number) {
    this.#ends = start + this.#ms;
  }

  /** A latency in milliseconds. */
  record(at: number, latency: number): void {
    if (at >= this.#ends) this.#roll(at);
    const us = latency > 0 ? Math.min(LONGEST_US, latency * 1_000 + 0.5) : 0;
    this.#counts = countAt(this.#counts, bucketOf(Math.floor(us)));
  }

  /** The open stretch is in it as far as it got. */
  data(): StretchesData {
    return { ms: this.#ms, blocks: [...this.#closed, blockOf(this.#counts)] };
  }

  #roll(at: number): void {
    this.#closed.push(blockOf(this.#counts));
    this.#counts.fill(0);
    for (;;) {
      if (this.#closed.length === MOST) {
        this.#closed = folded(this.#closed, 2);
        this.#ms *= 2;
      }
      this.#ends = this.start + (this.#closed.length + 1) * this.#ms;
      if (at < this.#ends) return;
      this.#closed.push(EMPTY);
    }
  }
}

/** Puts the stretches of several recorders, or of several steps, together. */
export function mergeStretches(
  parts: readonly StretchesData[],
): StretchesData {
  const ms = Math.max(1_000, ...parts.map((part) => part.ms));
  const all = parts.map((part) => folded(part.blocks, ms / part.ms));
  const length = Math.max(0, ...all.map((blocks) => blocks.length));
  return {
    ms,
    blocks: Array.from(
      { length },
      (_, i) => joinBlocks(all.flatMap((blocks) => blocks[i] ?? [])),
    ),
  };
}

/** Stretches that the run went through from end to end. */
export function wholeStretches(
  { ms, blocks }: StretchesData,
  durationMs: number,
): readonly LatencyBlock[] {
  const whole = blocks.slice(0, Math.floor(durationMs / ms));
  while (whole.length < Math.floor(durationMs / ms)) whole.push(EMPTY);
  return whole;
}

function folded(blocks: readonly LatencyBlock[], by: number): LatencyBlock[] {
  return Array.from(
    { length: Math.ceil(blocks.length / by) },
    (_, i) => joinBlocks(blocks.slice(i * by, (i + 1) * by)),
  );
}
