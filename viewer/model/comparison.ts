import type {
  FailureGroup,
  RunMeta,
  StepSummary,
} from "../../lib/result/run.ts";

/** One figure of two runs. */
export interface Difference {
  readonly name: string;
  readonly unit: "ms" | "share" | "count" | "rate";
  readonly a: number | null;
  readonly b: number | null;
  /** Which direction is worse; neither for what is no merit. */
  readonly worse: "more" | "less" | "neither";
  /** Samples the smaller of the two rests on. */
  readonly samples: number;
}

/** A step in both runs, or in one of them. */
export interface StepDifference {
  readonly id: string;
  readonly a?: StepSummary;
  readonly b?: StepSummary;
}

/** What sets two runs apart. */
export interface Comparison {
  /** Of what was asked for: only what differs. */
  readonly settings: readonly {
    readonly name: string;
    readonly a: string;
    readonly b: string;
  }[];
  /** The flow's text is not the same. */
  readonly otherFlow: boolean;
  readonly otherName: boolean;
  readonly figures: readonly Difference[];
  /** Worst change of p95 first. */
  readonly steps: readonly StepDifference[];
  readonly gone: readonly FailureGroup[];
  readonly fresh: readonly FailureGroup[];
}

/** Compares run `b` with the earlier run `a`. */
export function compareRuns(a: RunMeta, b: RunMeta): Comparison {
  const settings = ([
    "flow",
    "flow_file",
    "target",
    "mode",
    "vus",
    "seed",
    "bench_version",
  ] as const)
    .map((name) => ({ name, a: String(a[name]), b: String(b[name]) }))
    .filter((each) => each.a !== each.b);
  return {
    settings,
    otherFlow: a.ir_sha256 !== b.ir_sha256,
    otherName: a.flow !== b.flow,
    figures: figures(a, b),
    steps: steps(a, b),
    gone: only(a.failures, b.failures),
    fresh: only(b.failures, a.failures),
  };
}

/** The change in percent; undefined without something to compare with. */
export function changeOf({ a, b }: Difference): number | undefined {
  if (a === null || b === null || a === 0) return;
  return (b / a - 1) * 100;
}

function figures(a: RunMeta, b: RunMeta): Difference[] {
  const iterations = Math.min(a.iterations.completed, b.iterations.completed);
  const samples = Math.min(samplesOf(a), samplesOf(b));
  const rate = (run: RunMeta) =>
    run.duration_ms === 0 ? null : run.requests / run.duration_ms * 1_000;
  const share = (run: RunMeta, name: "error_rate" | "throttle_rate") =>
    run.iterations.completed === 0 ? null : run[name];
  return [
    ...(["error_rate", "throttle_rate"] as const).map((name): Difference => ({
      name,
      unit: "share",
      a: share(a, name),
      b: share(b, name),
      worse: "more",
      samples: iterations,
    })),
    ...(["p50", "p90", "p95", "p99", "max", "avg"] as const).map(
      (name): Difference => ({
        name,
        unit: "ms",
        a: samplesOf(a) === 0 ? null : a.latency[name],
        b: samplesOf(b) === 0 ? null : b.latency[name],
        worse: "more",
        samples,
      }),
    ),
    {
      name: "requests a second",
      unit: "rate",
      a: rate(a),
      b: rate(b),
      worse: "less",
      samples: Math.min(a.requests, b.requests),
    },
    {
      name: "iterations",
      unit: "count",
      a: a.iterations.completed,
      b: b.iterations.completed,
      worse: "neither",
      samples: iterations,
    },
  ];
}

function samplesOf(run: RunMeta): number {
  return run.steps.reduce(
    (sum, { attempts }) => sum + attempts.passed + attempts.failed,
    0,
  );
}

function steps(a: RunMeta, b: RunMeta): StepDifference[] {
  const ids = new Set([...a.steps, ...b.steps].map((step) => step.id));
  const worst = ({ a, b }: StepDifference) =>
    a && b && a.latency.p95 > 0 ? b.latency.p95 / a.latency.p95 : 0;
  return [...ids].map((id): StepDifference => {
    const before = a.steps.find((step) => step.id === id);
    const after = b.steps.find((step) => step.id === id);
    return { id, ...(before && { a: before }), ...(after && { b: after }) };
  }).sort((x, y) => worst(y) - worst(x));
}

function only(
  here: readonly FailureGroup[],
  there: readonly FailureGroup[],
): FailureGroup[] {
  const key = ({ step, code, outcome, message }: FailureGroup) =>
    JSON.stringify([step, code, outcome, message.replaceAll(/\d+/g, "0")]);
  const known = new Set(there.map(key));
  return here.filter((group) => !known.has(key(group)));
}
