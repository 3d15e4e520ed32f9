import { decodeBlocks } from "../../lib/results/histograms/stretches_text.ts";
import {
  blockPercentile,
  type LatencyBlock,
} from "../../lib/model/result/latency_block.ts";
import type {
  Histograms,
  HistogramSet,
} from "../../lib/model/result/series.ts";

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
export function storedBlocks(
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
