import { sum } from "../../lib/base/values/sum.ts";
import { latencySamples } from "../../lib/results/report/sample_sizes.ts";
import type {
  FailureGroup,
  FlowSummary,
  RunMeta,
  StepSummary,
} from "../../lib/model/result/run.ts";

/** One figure of two runs. */
export interface Difference {
  readonly name: string;
  readonly unit: "ms" | "share" | "count" | "rate";
  readonly a: number | null;
  readonly b: number | null;
  /** Which direction is worse; neither for what is no merit. */
  readonly worse: "more" | "less" | "neither";
  /** Samples of the smaller of the two. */
  readonly samples: number;
  readonly counted: "iteration" | "sample" | "request";
}

/** A step in both runs, or in one of them. */
export interface StepDifference {
  readonly id: string;
  readonly a?: StepSummary;
  readonly b?: StepSummary;
}

/** A flow of a mix in both runs, or in one of them. */
export interface FlowDifference {
  readonly name: string;
  readonly a?: FlowSummary;
  readonly b?: FlowSummary;
}

/** How two runs differ. */
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
  /** Of mixes, in their order; none of a flow by itself. */
  readonly flows: readonly FlowDifference[];
  readonly gone: readonly FailureGroup[];
  readonly fresh: readonly FailureGroup[];
}

/** How run `b` differs from the earlier run `a`, without a verdict. */
export function differencesOf(a: RunMeta, b: RunMeta): Comparison {
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
    figures: FIGURES.map(({ of, samples, ...figure }) => ({
      ...figure,
      a: of(a),
      b: of(b),
      samples: Math.min(samples(a), samples(b)),
    })),
    steps: steps(a, b),
    flows: pairs(a.flows ?? [], b.flows ?? [], ({ name }) => name)
      .map(({ key, ...sides }) => ({ name: key, ...sides })),
    gone: only(a.failures, b.failures),
    fresh: only(b.failures, a.failures),
  };
}

/** The change in percent; undefined without something to compare with. */
export function changeOf(
  { a, b }: Pick<Difference, "a" | "b">,
): number | undefined {
  if (a === null || b === null || a === 0) return;
  return (b / a - 1) * 100;
}

interface Figure
  extends Pick<Difference, "name" | "unit" | "worse" | "counted"> {
  readonly of: (run: RunMeta) => number | null;
  readonly samples: (run: RunMeta) => number;
}

const completed = (run: RunMeta) => run.iterations.completed;

const FIGURES: readonly Figure[] = [
  ...(["error_rate", "throttle_rate"] as const).map((name): Figure => ({
    name,
    unit: "share",
    worse: "more",
    counted: "iteration",
    of: (run) => completed(run) === 0 ? null : run[name],
    samples: completed,
  })),
  ...(["p50", "p90", "p95", "p99", "max", "avg"] as const).map(
    (name): Figure => ({
      name,
      unit: "ms",
      // The slowest of all is chance: it is shown, and not judged.
      worse: name === "max" ? "neither" : "more",
      counted: "sample",
      of: (run) => run.latency[name],
      samples: samplesOf,
    }),
  ),
  {
    name: "requests a second",
    unit: "rate",
    worse: "less",
    counted: "request",
    of: (run) =>
      run.duration_ms === 0 ? null : run.requests / run.duration_ms * 1_000,
    samples: (run) => run.requests,
  },
  {
    name: "iterations",
    unit: "count",
    worse: "neither",
    counted: "iteration",
    of: completed,
    samples: completed,
  },
];

/** Samples of latency: a step that sends nothing has attempts, but none of these. */
export function samplesOf({ steps }: RunMeta): number {
  const timed = steps.filter(({ latency }) => latency.max !== null);
  return sum(timed, latencySamples);
}

function steps(a: RunMeta, b: RunMeta): StepDifference[] {
  const worst = ({ a, b }: StepDifference) =>
    a?.latency.p95 && b?.latency.p95 ? b.latency.p95 / a.latency.p95 : 0;
  return pairs(a.steps, b.steps, ({ id }) => id)
    .map(({ key, ...sides }) => ({ id: key, ...sides }))
    .sort((x, y) => worst(y) - worst(x));
}

/** The items of both sides, or of one of them, by a key. */
function pairs<Item>(
  a: readonly Item[],
  b: readonly Item[],
  keyOf: (item: Item) => string,
): { readonly key: string; readonly a?: Item; readonly b?: Item }[] {
  return [...new Set([...a, ...b].map(keyOf))].map((key) => {
    const [before, after] = [a, b].map((side) =>
      side.find((each) => keyOf(each) === key)
    );
    return { key, ...(before && { a: before }), ...(after && { b: after }) };
  });
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
