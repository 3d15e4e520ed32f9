import { countAt, type Counts } from "../../base/values/counts.ts";
import {
  blockOf,
  bucketOf,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency.ts";
import { NumberWriter } from "./leb128.ts";
import {
  decodeBlocks,
  encodeBlocks,
  readBlocks,
  writeBlock,
} from "./stretches_text.ts";

/**
 * Latencies by stretches of a run, equally long, the first one from its start: as
 * `histograms.json` has them.
 */
export interface StretchesData {
  /** How long a stretch is, in milliseconds. */
  readonly ms: number;
  /** See `encodeBlocks`. */
  readonly blocks: string;
}

const EMPTY: LatencyBlock = {
  buckets: new Uint16Array(0),
  counts: new Uint8Array(0),
};

/** Even: neighbours are put together when there are so many. */
const MOST = 512;
/** Of all steps of a flow together, and how many each has at least. */
const MOST_OF_STEPS = 20 * MOST;
const LEAST = 32;
/** Steps that put their stretches together in different seconds: it takes half a millisecond of each. */
const APART = 8;
const LONGEST_US = 3_600_000_000;

/**
 * How many stretches a step of a flow has at most: fewer in a flow of more than 20, as
 * 200 steps of 512 would be most of the memory of a long run.
 *
 * @param index of the step, from 0
 * @param steps how many there are
 */
export function stretchesOfStep(index: number, steps: number): number {
  const even = 2 * Math.floor(MOST_OF_STEPS / steps / 2);
  return Math.max(LEAST, Math.min(MOST, even)) - 2 * (index % APART);
}

/**
 * Latencies by the second, in bounded memory: a run of more than `most` seconds has
 * stretches of two, then of four, and so on. Those that are over are kept as bytes, in
 * less than half of what arrays for each would take.
 *
 * Time only moves forward: what arrives for a closed stretch counts in the open
 * one.
 */
export class LatencyStretches {
  /** Those that are over. */
  readonly #over = new NumberWriter();
  #closed = 0;
  #counts: Counts = new Uint8Array(0);
  #ms = 1_000;
  /** When the open stretch ends, on the run's clock. */
  #ends: number;

  /**
   * @param start the run's start on the run's clock, in milliseconds
   * @param most stretches, an even number
   */
  constructor(readonly start: number, readonly most: number = MOST) {
    this.#ends = start + this.#ms;
  }

  /** A latency in milliseconds. */
  record(at: number, latency: number): void {
    if (at >= this.#ends) this.#roll(at);
    const us = latency > 0 ? Math.min(LONGEST_US, latency * 1_000 + 0.5) : 0;
    this.#counts = countAt(this.#counts, bucketOf(Math.floor(us)));
  }

  /**
   * The stretches as they are when they are read, or cloned: the texts of all steps at
   * once would be most of what a second of a long flow leaves behind. The open stretch
   * is in them as far as it got.
   */
  data(): StretchesData {
    const ms = () => this.#ms;
    const text = () => this.#text();
    return {
      get ms() {
        return ms();
      },
      get blocks() {
        return text();
      },
    };
  }

  #text(): string {
    const { length } = this.#over;
    writeBlock(this.#over, blockOf(this.#counts));
    const text = this.#over.bytes.toBase64();
    this.#over.cut(length);
    return text;
  }

  #roll(at: number): void {
    this.#close(blockOf(this.#counts));
    this.#counts.fill(0);
    for (;;) {
      if (this.#closed === this.most) this.#fold();
      this.#ends = this.start + (this.#closed + 1) * this.#ms;
      if (at < this.#ends) return;
      this.#close(EMPTY);
    }
  }

  #close(block: LatencyBlock): void {
    writeBlock(this.#over, block);
    this.#closed++;
  }

  #fold(): void {
    const blocks = folded(readBlocks(this.#over.bytes), 2);
    this.#ms *= 2;
    this.#over.cut(0);
    this.#closed = 0;
    for (const block of blocks) this.#close(block);
  }
}

/** Puts the stretches of several recorders, or of several steps, together. */
export function mergeStretches(
  parts: readonly StretchesData[],
): StretchesData {
  if (parts.length === 1) return parts[0]!;
  const ms = Math.max(1_000, ...parts.map((part) => part.ms));
  const all = parts.map((part) =>
    folded(decodeBlocks(part.blocks), ms / part.ms)
  );
  const length = Math.max(0, ...all.map((blocks) => blocks.length));
  return {
    ms,
    blocks: encodeBlocks(Array.from(
      { length },
      (_, i) => joinBlocks(all.flatMap((blocks) => blocks[i] ?? [])),
    )),
  };
}

/** Stretches that the run went through from end to end. */
export function wholeStretches(
  { ms, blocks }: StretchesData,
  durationMs: number,
): readonly LatencyBlock[] {
  const whole = decodeBlocks(blocks).slice(0, Math.floor(durationMs / ms));
  while (whole.length < Math.floor(durationMs / ms)) whole.push(EMPTY);
  return whole;
}

/** Each `by` neighbours put together. */
export function folded(
  blocks: readonly LatencyBlock[],
  by: number,
): LatencyBlock[] {
  return Array.from(
    { length: Math.ceil(blocks.length / by) },
    (_, i) => joinBlocks(blocks.slice(i * by, (i + 1) * by)),
  );
}
