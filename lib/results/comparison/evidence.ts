import {
  blockTotal,
  type LatencyBlock,
} from "../../model/result/latency_block.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type { HistogramSet, SecondPoint } from "../../model/result/series.ts";
import { wholeStretches } from "../histograms/latency_stretches.ts";
import { decodeBlocks } from "../histograms/stretches_text.ts";
import { readHistograms, readMeta, readSeries } from "../store/reader.ts";
import { StoreError } from "../store/store_error.ts";

/** What a run can be judged by. */
export interface RunEvidence {
  readonly meta: RunMeta;
  /** In order. The run ended within the last one, or as it began. */
  readonly seconds: readonly SecondPoint[];
  /** Response times by stretches of the run. */
  readonly overall: readonly LatencyBlock[];
  /** Likewise, by step id. */
  readonly steps: ReadonlyMap<string, readonly LatencyBlock[]>;
}

/** Shorter runs do not show how much their seconds differ. */
const LEAST_SECONDS = 10;

/**
 * What a run directory says over time.
 *
 * @param now milliseconds since the Unix epoch
 * @throws {StoreError} when it cannot be read, or holds nothing to compare
 */
export async function readEvidence(
  dir: string,
  now: number,
): Promise<RunEvidence> {
  const meta = await readMeta(dir, now);
  const refuse = (why: string, hint: string) =>
    new StoreError(`run \`${meta.id}\` cannot be compared: ${why}`, hint);
  if (isFunctional(meta.mode as Mode)) {
    throw refuse(
      `it is a run in ${meta.mode} mode, which measures no load`,
      "run the flow with --mode load",
    );
  }
  if (meta.ended_at === null) {
    throw refuse("it is not over", "wait for its end");
  }
  const seconds = Math.floor(meta.duration_ms / 1_000);
  if (seconds < LEAST_SECONDS) {
    throw refuse(
      `it lasted ${seconds}s, expected at least ${LEAST_SECONDS}s`,
      "measure longer: `hold: 60s`",
    );
  }
  const [series, histograms] = await Promise.all([
    readSeries(dir),
    readHistograms(dir),
  ]);
  if (!series || !histograms) {
    throw refuse("it has no series", "run the flow once more");
  }
  const { overall, steps } = histograms;
  if (!overall.stretches) {
    throw refuse(
      `bench ${meta.bench_version} did not store its latencies over time`,
      "run the flow once more with this bench",
    );
  }
  const blocksOf = ({ stretches }: HistogramSet) => {
    const { ms, blocks } = stretches ?? { ms: 1_000, blocks: "" };
    return wholeStretches(
      { ms, blocks: decodeBlocks(blocks) },
      meta.duration_ms,
    );
  };
  const bySteps = Object.entries(steps)
    .map(([id, set]) => [id, blocksOf(set)] as const)
    .filter(([, blocks]) => blocks.some((each) => blockTotal(each) > 0));
  return {
    meta,
    seconds: series.points,
    overall: blocksOf(overall),
    steps: new Map(bySteps),
  };
}
