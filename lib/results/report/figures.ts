import { sum } from "../../base/values/sum.ts";
import { METRICS, textBeside } from "../../model/metrics.ts";
import { OUTCOME_NAMES } from "../../model/outcome.ts";
import type { TypedValue } from "../../model/result/failure.ts";
import type { Capacity } from "../../model/result/findings.ts";
import type {
  FlowSummary,
  OnceSummary,
  RowSummary,
  RunMeta,
  RunStatus,
  ShardSummary,
  StepSummary,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import type { ONCE } from "../../model/result/trace.ts";

/*
 * Figures as a person reads them; every output that shows them uses these.
 */

/** The words for how a run ended, or that it goes on. */
interface RunEnd {
  readonly kind: "pass" | "fail" | "stopped" | "running";
  /** Says it where there is no colour. */
  readonly sign: string;
  readonly word: string;
  /** Of the summary. */
  readonly summary: string;
  readonly color: "green" | "yellow" | "red";
  /** Of Markdown. */
  readonly sentence: string;
}

const FAILED = { kind: "fail", sign: "✗", color: "red" } as const;

/** PASS and FAIL only of a run that was judged. */
const RUN_ENDS: Readonly<
  Record<Exclude<RunStatus, "finished"> | "pass" | "fail", RunEnd>
> = {
  running: {
    kind: "running",
    sign: "…",
    word: "RUNNING",
    summary: "RUNNING",
    color: "yellow",
    sentence: "⏳ Running:",
  },
  interrupted: {
    kind: "stopped",
    sign: "■",
    word: "INTERRUPTED",
    summary: "INTERRUPTED",
    color: "yellow",
    sentence: "⚠️ Interrupted:",
  },
  errored: {
    ...FAILED,
    word: "ERROR",
    summary: "ERROR",
    sentence: "❌ Error:",
  },
  aborted: {
    ...FAILED,
    word: "ABORTED",
    summary: "FAIL (aborted)",
    sentence: "❌ Aborted:",
  },
  pass: {
    kind: "pass",
    sign: "✓",
    word: "PASS",
    summary: "✓ PASS",
    color: "green",
    sentence: "✅ Passed:",
  },
  fail: {
    ...FAILED,
    word: "FAIL",
    summary: "✗ FAIL",
    sentence: "❌ Failed:",
  },
};

/** Whether a run was killed before anything was counted: its counts are not known to be 0. */
export function isUncounted(
  { status, ended_at, iterations, requests }: RunMeta,
): boolean {
  return status === "interrupted" && ended_at === null && requests === 0 &&
    iterations.completed === 0;
}

/** How a run ended, or that it goes on. */
export function runEnd(
  { status, verdict }: Pick<RunMeta, "status" | "verdict">,
): RunEnd {
  return RUN_ENDS[status === "finished" ? verdict ?? "fail" : status];
}

/** Why the verdict of a run may not be the target's. */
export function doubtOf(
  { generator, verdict }: Pick<RunMeta, "generator" | "verdict">,
): string | undefined {
  return verdict !== null && generator?.limited
    ? "in doubt: the generator was the limit"
    : undefined;
}

/** `1,204`, `0.1563`. The runtime's own formatting would load its tables of languages first, 9 ms of each run. */
export function countText(count: number): string {
  return String(count).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}

/** `1 iteration`, `1,204 iterations`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Milliseconds with a fitting unit: `44ms`, `1.2s`. */
export const latencyText: (ms: number) => string =
  METRICS.latency.quantity.text;

/** A share in percent: `0.08%`. What is not zero never reads zero. */
export const shareText: (share: number) => string =
  METRICS.error_rate.quantity.text;

/** A share of the completed iterations of a run, or of a flow of it; null of none. */
export function rateOf(
  counted: Pick<FlowSummary, "error_rate" | "throttle_rate"> & {
    readonly iterations: { readonly completed: number };
  },
  name: "error_rate" | "throttle_rate",
): number | null {
  return counted.iterations.completed === 0 ? null : counted[name];
}

/** Such a share in a table: `0.08%`, and `-` of none. */
export function rateCell(...rate: Parameters<typeof rateOf>): string {
  const share = rateOf(...rate);
  return share === null ? "-" : shareText(share);
}

/** `1.2 MB/s`, in thousands. */
export const byteRateText: (bytes: number) => string =
  METRICS.bytes_per_second.quantity.text;

/** `1.2 MB` of a transfer, in thousands. */
export function transferText(bytes: number): string {
  return byteRateText(bytes).replace(/\/s$/, "");
}

/** A rate: `1,204`, `41.2`, `0.33`. */
export function perSecondText(perSecond: number): string {
  const digits = perSecond >= 100 ? 0 : perSecond >= 10 ? 1 : 2;
  return countText(Number(perSecond.toFixed(digits)));
}

/**
 * The load that a run made: `412 requests/s, 4,120 of 5,000 offered`, `1.2 MB sent`,
 * `38 MB received`. A functional run has no rate. Empty where nothing was sent.
 */
export function loadTexts(
  { requests, offered_requests, duration_ms, steps, rows }: RunMeta,
): string[] {
  if (requests === 0 || duration_ms === 0) return [];
  const offered = offered_requests === undefined
    ? ""
    : `, ${countText(requests)} of ${countText(offered_requests)} offered`;
  const bytes = (key: "bytes_sent" | "bytes_received") =>
    transferText(sum(steps, (each) => each[key]));
  return [
    ...(rows ? [] : [
      `${perSecondText(requests / duration_ms * 1_000)} requests/s${offered}`,
    ]),
    `${bytes("bytes_sent")} sent`,
    `${bytes("bytes_received")} received`,
  ];
}

/**
 * The attempts of a step that another one followed, such as `43 throttled`: its final
 * classes do not have them. One that passed is a poll's round, or a status that `retry`
 * names. Empty when there are none.
 */
export function repeatedText(step: StepSummary): string {
  const { attempts, repeated } = step;
  return OUTCOME_NAMES.toReversed().flatMap((outcome) => {
    // Near enough of an earlier version: a step can fail by an attempt that passed.
    const guess = outcome === "passed" ? 0 : attempts[outcome] - step[outcome];
    const count = repeated?.[outcome] ?? guess;
    return count > 0 ? [`${countText(count)} ${outcome}`] : [];
  }).join(", ");
}

/** A fixture row, counted from 1 as people do; `row` is 0-based. */
export function rowText(row: number, name?: string): string {
  const number = `row ${countText(row + 1)}`;
  return name === undefined ? number : `${number} ${name}`;
}

/** The name of a trace: its iteration, counted from 1, or the list it is of. */
export function traceName(
  { once, iteration }: {
    readonly once?: string | null | undefined;
    readonly iteration: number;
  },
): string {
  return once ?? `iteration ${countText(iteration + 1)}`;
}

/** Why `setup` or `teardown` did not pass, for a person; undefined when it did. */
export function onceFailure(
  list: (typeof ONCE)[number],
  { outcome, failures: [first] }: OnceSummary,
): string | undefined {
  if (outcome === "passed") return undefined;
  const why = first ? `step \`${first.step}\`: ${first.message}` : outcome;
  return `\`${list}\` did not pass: ${why}`;
}

/** The name of a row of a run: its fixture row, or its iteration without one; after its flow in a mix. */
export function rowName(
  { flow, row, row_name, iteration }: Pick<
    RowSummary,
    "flow" | "row" | "row_name" | "iteration"
  >,
): string {
  const name = row === undefined
    ? `iteration ${countText(iteration + 1)}`
    : rowText(row, row_name);
  return flow === undefined ? name : `${flow}, ${name}`;
}

/** Rows that did not pass, with those that `rows` has no room for. */
export function badRows(
  { iterations: { completed, passed, failed, throttled } }: RunMeta,
): number {
  // One that is failed and throttled is in both counts.
  return Math.max(failed, throttled, completed - passed);
}

/** A value with its type and how it was compared: `< integer <3>`. */
export function typedText({ type, text, operator }: TypedValue): string {
  // There is one null: its type is its value.
  const value = text === "" || type === "null" ? type : `${type} <${text}>`;
  return operator === undefined ? value : `${operator} ${value}`;
}

/** The actual value of a threshold, with its unit: it looks like the limit where it is that. */
export function actualText(
  { metric, actual, limit }: ThresholdVerdict,
): string {
  if (actual === null) return "no samples";
  return textBeside(METRICS[metric].quantity, actual, limit);
}

/** The samples that a threshold was judged over: `3 iterations`, `1,204 samples`. */
export function samplesText(
  { metric, step, of_flow, samples }: ThresholdVerdict,
): string {
  const counted = step === undefined || of_flow ? "iteration" : "execution";
  return plural(samples, METRICS[metric].sample ?? counted);
}

type Bounds = Pick<Capacity, "unit" | "lower" | "upper" | "least">;

/** `holds at 96 requests a second, and breaks at 100, expected at least 200`. */
export function capacitySentence(bounds: Bounds): string {
  const { least } = bounds;
  const expected = least === undefined
    ? ""
    : isShort(bounds)
    ? `, expected at least ${countText(least)}`
    : ` (expected at least ${countText(least)})`;
  return `${boundsText(bounds)}${expected}`;
}

/** No level held, or none as high as expected. */
export function isShort(
  { lower, least = 0 }: Pick<Capacity, "lower" | "least">,
): boolean {
  return lower === null || lower < least;
}

function boundsText({ unit, lower, upper }: Bounds): string {
  const load = (level: number) =>
    unit === "vus"
      ? plural(level, "VU")
      : `${plural(level, "request")} a second`;
  if (lower === null) {
    return upper === null
      ? "no level was measured"
      : `no level is known to hold, and it breaks at ${load(upper)}`;
  }
  return upper === null
    ? `holds at ${load(lower)}, and it may hold at more`
    : `holds at ${load(lower)}, and breaks at ${countText(upper)}`;
}

/**
 * Whether a run that has a warm-up ended in it. Nothing was measured then, for which
 * the shortest duration stands.
 */
export function endsInWarmUp(measuredMs: number): boolean {
  return measuredMs <= 1;
}

/** The beginning of a run that is in no figure; undefined without one. */
export function warmUpText(
  { warm_up, duration_ms: measuredMs }: RunMeta,
): string | undefined {
  if (!warm_up) return;
  const { duration_ms, iterations, requests } = warm_up;
  const length = latencyText(duration_ms);
  return `${
    endsInWarmUp(measuredMs)
      ? `it ended in its warm-up of ${length}, which is in no figure`
      : `warm-up of ${length} before it, in no figure`
  }: ${plural(iterations.completed, "iteration")} (${
    countText(iterations.failed)
  } failed, ${countText(iterations.throttled)} throttled), ${
    plural(requests, "request")
  }`;
}

/** Findings without which a reader takes the figures for something else. */
export function findingsOfFigures({ findings = [] }: RunMeta): string[] {
  return findings.filter(({ name }) =>
    name === "target_cpu" || name === "connections" || name === "drift"
  ).map(({ seen }) => seen);
}

/** Of how many shards a run is, and which were lost. */
export function shardsSentence(shards: readonly ShardSummary[]): string {
  const lost = shards.flatMap(({ shard, lost_at_ms }) =>
    lost_at_ms === null
      ? []
      : [`shard ${shard} was lost after ${latencyText(lost_at_ms)}`]
  );
  return [`Run by ${plural(shards.length, "shard")}`, ...lost].join("; ") +
    ".";
}

/** A verdict over a run and others, or of the search that it is the result of. */
export interface ShownJudgement {
  readonly kind: string;
  readonly text: string;
  /** The exit code was 1. */
  readonly bad: boolean;
  /** Neither better nor worse can be said. */
  readonly unclear: boolean;
  /** The run that was judged first. */
  readonly runs: readonly string[];
}

/** The sign of a verdict, its colour in a terminal, and the kind of a run's end that it looks like. */
export function judgedMark(
  { bad, unclear }: ShownJudgement,
): Pick<RunEnd, "sign" | "color" | "kind"> {
  if (bad) return FAILED;
  return unclear
    ? { sign: "?", color: "yellow", kind: "stopped" }
    : RUN_ENDS.pass;
}

/** The verdicts that a run takes part in. */
export function judgementsOf(
  { id, judged = [], capacity }: Pick<RunMeta, "id" | "judged" | "capacity">,
): ShownJudgement[] {
  return [
    ...judged.map(({ kind, text, verdict, runs }) => ({
      ...{ kind, text, runs },
      bad: verdict === "worse",
      unclear: verdict === "unclear",
    })),
    ...capacity
      ? [{
        kind: "capacity",
        text: capacitySentence(capacity),
        bad: isShort(capacity),
        unclear: false,
        runs: [id],
      }]
      : [],
  ];
}
