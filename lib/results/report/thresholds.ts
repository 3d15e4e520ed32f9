import { countAll } from "../../model/outcome.ts";
import { sum } from "../../base/values/sum.ts";
import { type Figures, METRICS } from "../../model/metrics.ts";
import {
  comparisonOf,
  formatThreshold,
  limitOf,
} from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../language/ir.ts";
import {
  errorsOf,
  isFunctional,
  type Mode,
  type RunSteps,
} from "../../model/mode.ts";
import type { RunMeta, ThresholdVerdict } from "../../model/result/run.ts";
import type { RunTotals } from "../../model/result/totals.ts";

/**
 * Judges every threshold on the whole run. Latency thresholds read the response
 * time of passed and failed attempts; rates are shares of the completed
 * iterations; those of a step or a flow are of that alone. A threshold without samples is not held.
 *
 * @param durationMs of the run: bytes a second have no samples without it
 */
export function judge(
  thresholds: readonly Threshold[],
  totals: RunTotals,
  run: RunSteps,
  durationMs = 0,
): ThresholdVerdict[] {
  const seconds = durationMs / 1_000;
  return thresholds.map((each) => judgeOne(each, totals, seconds, run));
}

/** One threshold against figures; undefined when they hold no sample for it. */
export function measure(
  threshold: Threshold,
  figures: Figures,
): { actual: number; pass: boolean; samples: number } | undefined {
  const metric = METRICS[threshold.metric];
  const samples = metric.samples(figures);
  if (samples === 0) return undefined;
  const stat = "stat" in threshold ? threshold.stat : "";
  const actual = metric.actual(figures, stat);
  // Whole microseconds on both sides: 0.3 ms must not be 300.00000000000006 us.
  const { irUnits } = metric.quantity;
  const inIr = irUnits === 1 ? actual : Math.round(actual * irUnits);
  return {
    actual,
    pass: HOLDS[threshold.op](inIr, limitOf(threshold)),
    samples,
  };
}

const HOLDS: Readonly<
  Record<Threshold["op"], (actual: number, limit: number) => boolean>
> = {
  "<": (actual, limit) => actual < limit,
  "<=": (actual, limit) => actual <= limit,
  ">": (actual, limit) => actual > limit,
  ">=": (actual, limit) => actual >= limit,
};

/** The threshold that a mode implies: no failed row. */
const NO_ERRORS: Threshold = { metric: "error_rate", op: "<=", value: 0 };

/**
 * The declared thresholds and the implied one: in integration and system modes
 * `error_rate <= 0`, unless an `error_rate` threshold is declared.
 */
export function effectiveThresholds(
  mode: Mode,
  declared: readonly Threshold[] = [],
): readonly Threshold[] {
  return isFunctional(mode) &&
      !declared.some((each) =>
        each.metric === "error_rate" && each.step === undefined
      )
    ? [...declared, NO_ERRORS]
    : declared;
}

/**
 * Why a load run shows nothing of the target, and fails for that; undefined where it
 * does. One whose requests were throttled all along shows that, and a threshold of its
 * own on `error_rate` judges what failed.
 */
export function emptyLoad(
  { mode, iterations, requests, thresholds }: Pick<
    RunMeta,
    "mode" | "iterations" | "requests" | "thresholds"
  >,
): string | undefined {
  if (isFunctional(mode as Mode)) return undefined;
  const { completed, passed, failed } = iterations;
  if (completed === 0) return "no iteration was completed";
  if (passed === 0 && failed === 0 && requests === 0) {
    return "every iteration was throttled before its first request";
  }
  const judged = thresholds.some(({ metric, step }) =>
    metric === "error_rate" && step === undefined
  );
  return passed > 0 || failed === 0 || judged
    ? undefined
    : "no iteration passed, and no threshold on `error_rate` allows that";
}

function judgeOne(
  threshold: Threshold,
  totals: RunTotals,
  seconds: number,
  run: RunSteps,
): ThresholdVerdict {
  const { iterations, latencies } = totals;
  const index = run.steps.findIndex(({ id }) => id === threshold.step);
  const ofFlow = index < 0 &&
    totals.flows?.some(({ name }) => name === threshold.step);
  const figures = threshold.step === undefined
    ? {
      ...iterations,
      latency: latencies.response,
      bytes: sum(totals.steps, (each) => each.bytes_received),
      seconds,
    }
    : stepFigures(totals.steps[index], index, run, seconds) ??
      flowFigures(threshold.step, totals, seconds);
  const measured = figures && measure(threshold, figures);
  return {
    expression: formatThreshold(threshold),
    ...comparisonOf(threshold),
    ...(measured ?? { actual: null, pass: false, samples: 0 }),
    ...(threshold === NO_ERRORS && { implied: true }),
    ...(ofFlow && { of_flow: true }),
  };
}

/** Of a flow of a mix. */
function flowFigures(
  name: string,
  { flows = [] }: RunTotals,
  seconds: number,
): Figures | undefined {
  const flow = flows.find((each) => each.name === name);
  return flow && { ...flow.iterations, ...flow, seconds };
}

/** Rates of a step are shares of the times it ended. */
function stepFigures(
  step: RunTotals["steps"][number] | undefined,
  index: number,
  run: RunSteps,
  seconds: number,
): Figures | undefined {
  if (!step) return;
  const { throttled } = step;
  const failed = errorsOf(run, index, step);
  const completed = countAll(step);
  const { latencies: { response: latency }, bytes_received: bytes } = step;
  return { completed, failed, throttled, latency, bytes, seconds };
}
