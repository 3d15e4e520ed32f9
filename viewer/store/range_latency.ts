import {
  blockMean,
  blockPercentile,
  joinBlocks,
} from "../../lib/model/result/latency_block.ts";
import { type LatencySummary, NO_LATENCY } from "../../lib/model/result/run.ts";
import type { RunDirectory } from "./run_directory.ts";
import { storedBlocks } from "./step_stretches.ts";

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
export async function rangeLatency(
  run: RunDirectory,
  from = 0,
  to = Infinity,
): Promise<RangeLatency> {
  const { value } = await run.histograms();
  const { width, blocks } = storedBlocks(value?.overall ?? {});
  const all = joinBlocks(
    blocks.filter((_, i) => (i + 1) * width > from && i * width < to),
  );
  if (all.buckets.length === 0) return { width, ...NO_LATENCY };
  const at = (percent: number) => blockPercentile(all, percent) / 1_000;
  return {
    width,
    min: at(0),
    avg: blockMean(all) / 1_000,
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: at(100),
  };
}
