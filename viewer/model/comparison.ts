import { sha256 } from "../../lib/base/values/sha256.ts";
import { sum } from "../../lib/base/values/sum.ts";
import {
  changedKeys,
  NOT_GIVEN,
  optionText,
  parseStoredFlow,
  PROFILE_OPTIONS,
  profileTexts,
  type StoredFlow,
} from "../../lib/results/comparison/asked.ts";
import { rateOf } from "../../lib/results/report/figures.ts";
import { latencySamples } from "../../lib/results/report/sample_sizes.ts";
import { knownP95 } from "./words.ts";
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
  /** The flow is not the same, but for its profile: that is among the settings. */
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

/** A run, and the flow that is stored with it. */
interface StoredRun {
  readonly meta: RunMeta;
  readonly run: {
    /** The canonical IR; no value where it cannot be read. */
    flow(): Promise<{ readonly value?: string | undefined }>;
  };
}

/** How run `b` differs from the earlier run `a`, without a verdict. */
export async function differencesOf(
  runA: StoredRun,
  runB: StoredRun,
): Promise<Comparison> {
  const [{ meta: a }, { meta: b }] = [runA, runB];
  const isSame = a.ir_sha256 === b.ir_sha256;
  const [x, y] = await Promise.all([runA, runB].map(flowOf));
  const flows = x && y && { a: x, b: y };
  return {
    settings: settings(askedOf(a, flows?.a), askedOf(b, flows?.b)),
    otherFlow: !isSame &&
      (!flows || changedKeys(flows.a.rest, flows.b.rest).length > 0),
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

/** The flow that ran; a file that was damaged or put there since is none. */
async function flowOf(
  { meta, run }: StoredRun,
): Promise<StoredFlow | undefined> {
  const { value } = await run.flow();
  return value !== undefined && await sha256(value) === meta.ir_sha256
    ? parseStoredFlow(value)
    : undefined;
}

const FACTS = [
  "flow",
  "flow_file",
  "target",
  "mode",
  "vus",
  "seed",
  "bench_version",
] as const;

/** The settings of a run as text, by name. Options that are in the profile are not said twice. */
function askedOf(
  { options = {}, ...meta }: RunMeta,
  flow: StoredFlow | undefined,
): Readonly<Record<string, string>> {
  const driven = Object.entries(options).filter(([name]) =>
    !flow || !PROFILE_OPTIONS.includes(name)
  );
  return {
    ...Object.fromEntries(FACTS.map((name) => [name, String(meta[name])])),
    ...(flow && profileTexts(flow.profile)),
    ...Object.fromEntries(
      driven.map(([name, value]) => [name, optionText(value)]),
    ),
  };
}

function settings(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): Comparison["settings"] {
  return [...new Set([a, b].flatMap(Object.keys))]
    .map((name) => ({ name, a: a[name] ?? NOT_GIVEN, b: b[name] ?? NOT_GIVEN }))
    .filter((each) => each.a !== each.b);
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
    of: (run) => rateOf(run, name),
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
    a && b ? changeOf({ a: knownP95(a), b: knownP95(b) }) ?? -100 : -100;
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
