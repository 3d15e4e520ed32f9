import { countAll } from "../../model/outcome.ts";
import { type Figures, isPartOf } from "../../model/metrics.ts";
import { errorsOf, type RunSteps } from "../../model/mode.ts";
import {
  blockMean,
  blockPercentile,
  blockTotal,
  joinBlocks,
  type LatencyBlock,
} from "../../model/result/latency.ts";
import type { Distribution } from "../../model/metrics.ts";
import type { StretchesData } from "../histograms/latency_stretches.ts";
import { decodeBlocks } from "../histograms/stretches_text.ts";
import { type SecondData, stepOutcomes } from "./series.ts";
import type { Recording } from "./snapshot.ts";

/** The figures of a part of a flow over some seconds of a run. */
export type PartFigures = (
  part: string,
  seconds: readonly SecondData[],
) => Figures;

/**
 * The figures that thresholds of a step, or of a flow of a mix, read over some seconds:
 * latencies of both, and rates of a step. A figure that is not known by the second has
 * no sample: bytes, the rates of a flow, and those of a step that was sent again, as
 * seconds count its attempts, and thresholds its last ones alone.
 */
export function partFigures(
  { totals, stretches }: Pick<Recording, "totals" | "stretches">,
  run: RunSteps,
): PartFigures {
  const ids = run.steps.map(({ id }) => id);
  const stepsOf = (part: string) =>
    ids.flatMap((id, index) => isPartOf(id, part) ? [index] : []);
  return (part, seconds) => {
    const steps = stepsOf(part);
    const [only] = ids[steps[0]!] === part ? steps : [];
    const blocks = steps.flatMap((step) =>
      blocksOf(stretches.steps[step], seconds)
    );
    return {
      ...(only !== undefined && isSentOnce(totals.steps[only])
        ? countsOf(run, only, seconds)
        : NO_COUNTS),
      latency: distributionOf(joinBlocks(blocks)),
      bytes: NaN,
      seconds: 0,
    };
  };
}

const NO_COUNTS = { completed: 0, failed: 0, throttled: 0 };

function isSentOnce(
  step: Recording["totals"]["steps"][number] | undefined,
): boolean {
  return step !== undefined && countAll(step) === countAll(step.attempts);
}

function countsOf(
  run: RunSteps,
  index: number,
  seconds: readonly SecondData[],
) {
  const counts = { ...NO_COUNTS };
  for (const { steps } of seconds) {
    for (const [step, passed, throttled, failed] of stepOutcomes(steps)) {
      if (step !== index) continue;
      counts.completed += passed + throttled + failed;
      counts.throttled += throttled;
      counts.failed += errorsOf(run, index, { failed, throttled });
    }
  }
  return counts;
}

/**
 * The stretches that lie in the seconds from end to end: of a long run they are longer
 * than a second, and one that reaches beyond would count in the next window as well.
 */
function blocksOf(
  stretches: StretchesData | undefined,
  seconds: readonly SecondData[],
): LatencyBlock[] {
  if (!stretches) return [];
  const { ms } = stretches;
  const [first, last] = [seconds[0], seconds.at(-1)];
  if (!first || !last) return [];
  return decodeBlocks(stretches.blocks)
    .slice(
      Math.ceil(first.t * 1_000 / ms),
      Math.floor((last.t + 1) * 1_000 / ms),
    );
}

function distributionOf(block: LatencyBlock): Distribution {
  const percentile = (p: number) => blockPercentile(block, p) / 1_000;
  return {
    count: blockTotal(block),
    min: percentile(0),
    avg: blockMean(block) / 1_000,
    max: percentile(100),
    percentile,
  };
}
