import { sum } from "../../base/values/sum.ts";
import { OUTCOME_NAMES, type OutcomeCounts } from "../../model/outcome.ts";
import type { IterationCounts } from "../../model/result/totals.ts";
import { countsUpTo, type HistogramData } from "../histograms/histogram.ts";

/** The counts of a run that goes on, all of them as of one moment. */
export interface CountedFigures {
  readonly iterations: IterationCounts;
  readonly steps: readonly StepFigures[];
}

/** The figures of it that other tools read. */
export interface LiveFigures extends CountedFigures {
  readonly vus: number;
  /** How late the latest request slot of the last second was handed out. */
  readonly startLagMs: number;
  /** Of all cores of the machine, in the last second. */
  readonly cpuRatio: number;
}

/** Of one step. */
interface StepFigures {
  readonly attempts: OutcomeCounts;
  /** Response times of all attempts, as far as they are known. */
  readonly durations: readonly HistogramData[];
}

/** The facts of a run that do not change while it lasts; free of secrets. */
export interface ExposedRun {
  readonly id: string;
  readonly flow: string;
  readonly target: string;
  readonly mode: string;
  readonly version: string;
  /** In order; waits send nothing. */
  readonly steps: readonly { readonly id: string; readonly sends: boolean }[];
}

/** The form in which a client wants it. */
type ExpositionForm = "openmetrics" | "text";

/** Media types (OpenMetrics 1.0, Prometheus text format 0.0.4). */
export const EXPOSITION_TYPES: Readonly<Record<ExpositionForm, string>> = {
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  text: "text/plain; version=0.0.4; charset=utf-8",
};

/** Upper bounds in seconds: the same for every run, so that runs can be added. */
const BOUNDS: readonly number[] = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30],
];

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [suffix: string, labels: Labels, value: number];

/** The figures as text that Prometheus and others scrape. */
export function exposition(
  run: ExposedRun,
  figures: LiveFigures,
  form: ExpositionForm,
): string {
  const families = [...familiesOf(run, figures)];
  const lines = [
    ...families.flatMap((each) => familyLines(each, form)),
    ...form === "openmetrics" ? ["# EOF"] : [],
  ];
  return `${lines.join("\n")}\n`;
}

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

function familyLines(
  { name, type, help, samples }: Family,
  form: ExpositionForm,
): string[] {
  // The older format knows a counter by the name of its samples.
  const named = type === "counter" && form === "text" ? `${name}_total` : name;
  const inSeconds = form === "openmetrics" && name.endsWith("_seconds");
  return [
    `# TYPE ${named} ${type}`,
    ...inSeconds ? [`# UNIT ${named} seconds`] : [],
    `# HELP ${named} ${help}`,
    ...samples.map(([suffix, labels, value]) =>
      `${name}${suffix}${written(labels)} ${value}`
    ),
  ];
}

function* familiesOf(run: ExposedRun, figures: LiveFigures): Generator<Family> {
  const { steps, ...info } = run;
  const byStep = (make: (step: StepFigures, id: string) => Sample[]) =>
    figures.steps.flatMap((each, index) => {
      const { id, sends } = steps[index]!;
      return sends ? make(each, id) : [];
    });
  yield {
    name: "bench_run_info",
    type: "gauge",
    help: "The run these figures are of.",
    samples: [["", { ...info }, 1]],
  };
  yield {
    name: "bench_requests",
    type: "counter",
    help: "Attempts of steps, by outcome.",
    samples: byStep(({ attempts }, step) =>
      OUTCOME_NAMES.map((outcome): Sample => [
        "_total",
        { step, outcome },
        attempts[outcome],
      ])
    ),
  };
  yield {
    name: "bench_request_duration_seconds",
    type: "histogram",
    help: "Response times of attempts: from when each was due.",
    samples: byStep(({ durations }, step) => buckets(durations, step)),
  };
  yield {
    name: "bench_iterations",
    type: "counter",
    help:
      "Finished iterations; one that is failed and throttled counts in both.",
    samples: [...OUTCOME_NAMES, "interrupted" as const].map((
      outcome,
    ): Sample => [
      "_total",
      { outcome },
      figures.iterations[outcome],
    ]),
  };
  yield* generatorFamilies(figures);
}

function generatorFamilies(
  { vus, startLagMs, cpuRatio }: LiveFigures,
): Family[] {
  const gauge = (name: string, help: string, value: number): Family => ({
    name,
    type: "gauge",
    help,
    samples: [["", {}, value]],
  });
  return [
    gauge("bench_vus", "Iterations under way.", vus),
    gauge(
      "bench_start_lag_seconds",
      "How late the latest request of the last second was.",
      Math.round(startLagMs * 1_000) / 1e6,
    ),
    gauge(
      "bench_generator_cpu_ratio",
      "Share of the machine's cores that the generator used in the last second.",
      Math.round(cpuRatio * 1e4) / 1e4,
    ),
  ];
}

function buckets(durations: readonly HistogramData[], step: string): Sample[] {
  const counts = durations.map((each) =>
    countsUpTo(each, BOUNDS.map((bound) => bound * 1e6))
  );
  const count = sum(durations, (each) => each.count);
  const total = sum(durations, (each) => each.sum);
  return [
    ...BOUNDS.map((bound, index): Sample => [
      "_bucket",
      { step, le: bound.toFixed(4).replace(/(\.\d+?)0*$/, "$1") },
      sum(counts, (each) => each[index]!),
    ]),
    ["_bucket", { step, le: "+Inf" }, count],
    ["_sum", { step }, total / 1e6],
    ["_count", { step }, count],
  ];
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')
      .replaceAll("\n", "\\n");
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
