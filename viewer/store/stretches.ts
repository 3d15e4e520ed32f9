import {
  blockMean,
  blockPercentile,
  joinBlocks,
  type LatencyBlock,
} from "../../lib/model/result/latency_block.ts";
import { type LatencySummary, NO_LATENCY } from "../../lib/model/result/run.ts";
import type {
  Histograms,
  HistogramSet,
} from "../../lib/model/result/series.ts";
import { decodeBlocks } from "../../lib/results/histograms/stretches_text.ts";

/** The latencies of a part of a run, in milliseconds. */
export type RangeLatency = LatencySummary & {
  /** Seconds of a stretch: a part begins and ends with one. */
  readonly width: number;
};

/**
 * Without a sample where nothing is stored that says it.
 *
 * @param from seconds since the start of the run
 * @param to likewise
 */
export function rangeLatency(
  all: Histograms | undefined,
  from = 0,
  to = Infinity,
): RangeLatency {
  const { width, blocks } = storedBlocks(all?.overall ?? {});
  const part = joinBlocks(
    blocks.filter((_, i) => (i + 1) * width > from && i * width < to),
  );
  if (part.buckets.length === 0) return { width, ...NO_LATENCY };
  const at = (percent: number) => blockPercentile(part, percent) / 1_000;
  return {
    width,
    min: at(0),
    avg: blockMean(part) / 1_000,
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: at(100),
  };
}

/** The response times of one step over time. */
export interface StepStretches {
  readonly id: string;
  /** Seconds of a stretch. */
  readonly width: number;
  /** Milliseconds, by stretch; null without a sample. */
  readonly p95: readonly (number | null)[];
}

/** Of every step that has any; none where they are not stored or cannot be read. */
export function stretchesOf(all: Histograms | undefined): StepStretches[] {
  return Object.entries(all?.steps ?? {}).flatMap(([id, set]) => {
    const { width, blocks } = storedBlocks(set);
    const p95 = blocks.map((block) => {
      const us = blockPercentile(block, 95);
      return Number.isNaN(us) ? null : us / 1_000;
    });
    return blocks.length === 0 ? [] : [{ id, width, p95 }];
  });
}

/** Latencies by stretches of so many seconds; no stretches where they cannot be read. */
function storedBlocks(
  { stretches }: Partial<HistogramSet>,
): { readonly width: number; readonly blocks: readonly LatencyBlock[] } {
  if (!stretches) return { width: 1, blocks: [] };
  const width = stretches.ms / 1_000;
  try {
    return { width, blocks: decodeBlocks(stretches.blocks) };
  } catch {
    return { width, blocks: [] };
  }
}
