import { countAll } from "../../model/outcome.ts";
import { sum } from "../../base/values/sum.ts";
import { PERCENTILES } from "../../model/result/latency.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type { SecondPoint } from "../../model/result/series.ts";
import {
  type DifferenceBounds,
  meanDifference,
  rateBounds,
  rateDifference,
  seriesMean,
} from "../statistics/difference_bounds.ts";
import {
  type ComparedFigure,
  comparisonNotes,
  type ComparisonVerdict,
  mostlyFailed,
  type RunComparison,
} from "./comparison.ts";
import type { RunEvidence } from "./evidence.ts";
import { acrossRuns, judgeRatio, judgeShare, LatencyChange } from "./judge.ts";

/** How runs are compared. */
interface CompareOptions {
  /** Smaller changes are none, as a share. */
  readonly margin: number;
  /** The runs were measured in the same seconds. */
  readonly paired?: boolean;
}

/** All intervals of a comparison hold at once with this confidence. */
const CONFIDENCE = 0.98;
/** Of a step. */
const STEP_PERCENTILES = [50, 95, 99] as const;

/**
 * Compares a run with one or more others of the same flow. Pure, and the same
 * for the same runs.
 *
 * @param bases at least one
 */
export function compareRuns(
  candidate: RunEvidence,
  bases: readonly RunEvidence[],
  { margin, paired = false }: CompareOptions,
): RunComparison {
  const steps = candidate.meta.steps.map(({ id }) => id)
    .filter((id) => [candidate, ...bases].every((each) => each.steps.has(id)));
  // One step is the whole run.
  const apart = steps.length > 1 ? steps : [];
  const count = PERCENTILES.length + 4 +
    apart.length * (STEP_PERCENTILES.length + 1);
  // Bonferroni: none of the intervals misses, however many there are.
  const confidence = 1 - (1 - CONFIDENCE) / count;
  const { duration_ms: durationMs } = candidate.meta;
  const context = {
    candidate,
    bases,
    margin,
    paired,
    durationMs,
    confidence,
  };
  const figures = [
    shareFigure(context, "error_rate", "iterations_failed"),
    shareFigure(context, "throttle_rate", "iterations_throttled"),
    ...latencyFigures(context, PERCENTILES),
    throughputFigure(context),
    ...apart.flatMap((step) => latencyFigures(context, STEP_PERCENTILES, step)),
  ];
  return {
    flow: candidate.meta.flow,
    candidate: comparedRun(candidate.meta),
    bases: bases.map(({ meta }) => comparedRun(meta)),
    paired,
    margin,
    confidence: CONFIDENCE,
    verdict: overall(figures),
    figures,
    notes: comparisonNotes([candidate, ...bases].map(({ meta }) => meta)),
  };
}

interface Context extends Required<CompareOptions> {
  readonly candidate: RunEvidence;
  readonly bases: readonly RunEvidence[];
  readonly durationMs: number;
  readonly confidence: number;
}

function shareFigure(
  context: Context,
  metric: "error_rate" | "throttle_rate",
  key: "iterations_failed" | "iterations_throttled",
): ComparedFigure {
  const { candidate, bases, confidence } = context;
  const all = (pick: (second: SecondPoint) => number, runs: typeof bases) =>
    runs.flatMap(({ seconds }) => seconds.map(pick));
  const [a, b] = [bases, [candidate]].map((runs) =>
    rateBounds(
      all((second) => second[key] ?? 0, runs),
      all(({ completed }) => completed, runs),
      confidence,
    )
  );
  const figure = { metric, unit: "share" } as const;
  if (!a || !b) return { ...figure, ...unknown("no iteration was completed") };
  const before = bases.map(({ meta }) => meta[metric]);
  const change = acrossRuns(rateDifference(a, b), before);
  const judged = judgeShare(change, a.rate, context);
  return { ...figure, base: a.rate, candidate: b.rate, ...judged };
}

/** Of a figure that one of the sides does not have. */
function unknown(detail: string) {
  const none = { base: null, candidate: null, change: null };
  return { ...none, detail, verdict: "unclear" } as const;
}

function latencyFigures(
  context: Context,
  percentiles: readonly (typeof PERCENTILES)[number][],
  step?: string,
): ComparedFigure[] {
  const { candidate, bases, paired, confidence } = context;
  const sideOf = (run: RunEvidence) =>
    step === undefined ? run.overall : run.steps.get(step)!;
  const latency = new LatencyChange({
    candidate: sideOf(candidate),
    bases: bases.map(sideOf),
    paired,
    confidence,
  });
  const failed = [candidate, ...bases].some(({ meta }) => mostlyFailed(meta));
  const typical = failed ? undefined : latency.typical();
  const geometric: ComparedFigure[] = !typical ? [] : [{
    metric: "typical",
    ...(step !== undefined && { step }),
    unit: "ms",
    base: null,
    candidate: null,
    ...judgeRatio(typical, context, "more"),
  }];
  const found = percentiles.map((p): ComparedFigure => {
    const value = (run: RunEvidence) => storedPercentile(run.meta, p, step);
    const before = bases.map(value);
    const figure = {
      metric: `p${p}`,
      ...(step !== undefined && { step }),
      unit: "ms",
      base: geometricMean(before),
      candidate: value(candidate),
    } as const;
    const bounds = failed
      ? "mostly latencies of failures"
      : latency.percentile(p);
    if (typeof bounds === "string") {
      return { ...figure, change: null, verdict: "unclear", detail: bounds };
    }
    const exact = exactly(bounds, figure.base, figure.candidate);
    return { ...figure, ...judgeRatio(exact, context, "more") };
  });
  return [...geometric, ...found];
}

/** The stored percentiles are more exact than those of the stretches. */
function exactly(
  bounds: DifferenceBounds,
  base: number | null,
  candidate: number | null,
) {
  if (!base || !candidate) return bounds;
  const value = Math.log(candidate / base);
  const off = value - bounds.value;
  return { value, low: bounds.low + off, high: bounds.high + off };
}

function storedPercentile(
  meta: RunMeta,
  p: (typeof PERCENTILES)[number],
  step: string | undefined,
): number | null {
  const of = step === undefined
    ? meta
    : meta.steps.find(({ id }) => id === step);
  return of?.latency[`p${p}`] ?? null;
}

function throughputFigure(context: Context): ComparedFigure {
  const { candidate, bases, confidence } = context;
  const meanOf = (runs: readonly RunEvidence[]) =>
    seriesMean(runs.flatMap(requestsBySecond));
  const [a, b] = [meanOf(bases), meanOf([candidate])];
  const figure = { metric: "requests_per_second", unit: "per_second" } as const;
  if (!a || !b) return { ...figure, ...unknown("nothing was sent") };
  const bounds = acrossRuns(
    meanDifference(a, b, confidence),
    bases.flatMap((each) => meanOf([each])?.value ?? []),
  );
  return {
    ...figure,
    base: Math.exp(a.value),
    candidate: Math.exp(b.value),
    ...judgeRatio(bounds, context, "less"),
  };
}

/**
 * The requests of each whole second: a part of one is no rate. A second has its
 * attempts, of which those whose connection was refused sent nothing: how many they
 * are is known of the whole run alone.
 */
function requestsBySecond({ seconds, meta }: RunEvidence): number[] {
  const attempts = seconds.map((each) =>
    each.bytes_sent > 0 ? countAll(each) : 0
  );
  const sent = Math.min(
    1,
    meta.requests / Math.max(1, sum(attempts, (each) => each)),
  );
  return attempts.slice(0, Math.floor(meta.duration_ms / 1_000))
    .map((each) => each * sent);
}

/** Worse when anything is, else better, else unclear. */
function overall(figures: readonly ComparedFigure[]): ComparisonVerdict {
  const has = (verdict: ComparisonVerdict) =>
    figures.some((each) => each.verdict === verdict);
  return (["worse", "better", "unclear"] as const).find(has) ?? "same";
}

function comparedRun(meta: RunMeta): RunComparison["candidate"] {
  const { id, target, bench_version, started_at, duration_ms } = meta;
  const iterations = meta.iterations.completed;
  return { id, target, bench_version, started_at, duration_ms, iterations };
}

function geometricMean(values: readonly (number | null)[]): number | null {
  const known = values.filter((each) => each !== null && each > 0) as number[];
  if (known.length < values.length || known.length === 0) return null;
  return Math.exp(sum(known, Math.log) / known.length);
}
