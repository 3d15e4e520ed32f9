import { decodeBlocks } from "../../lib/results/histograms/stretches_text.ts";
import {
  blockTotal,
  bucketMiddle,
  type LatencyBlock,
} from "../../lib/model/result/latency_block.ts";
import type { Histograms } from "../../lib/model/result/series.ts";

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
  return Object.entries(all?.steps ?? {}).flatMap(([id, { stretches }]) => {
    if (!stretches) return [];
    try {
      const blocks = decodeBlocks(stretches.blocks);
      return [{
        id,
        width: stretches.ms / 1_000,
        p95: blocks.map((block) => percentile(block, 95)),
      }];
    } catch {
      return [];
    }
  });
}

/** By nearest rank, right within 0.4 %. */
function percentile(block: LatencyBlock, p: number): number | null {
  let left = Math.ceil(p / 100 * blockTotal(block));
  if (left === 0) return null;
  const at = block.counts.findIndex((count) => (left -= count) <= 0);
  return bucketMiddle(block.buckets[at]!) / 1_000;
}
