import {
  comparisonOf,
  parseThreshold,
  type Threshold,
} from "../../language/expressions/threshold.ts";
import { isPartOf, METRICS } from "../../model/metrics.ts";
import { stoppedBy } from "../../model/outcome.ts";
import type {
  FailureGroup,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import type { Reason } from "../../model/result/findings.ts";
import { brokenSentence } from "./contract.ts";
import {
  breachText,
  failuresBehind,
  groupText,
  isError,
} from "./failure_texts.ts";
import { actualText, countText, latencyText, onceFailure } from "./figures.ts";
import { emptyLoad } from "./thresholds.ts";

/**
 * Why a run did not pass: what stopped it, else the first threshold that did not
 * hold, or that it shows nothing, with the failure behind it. Undefined for one that
 * passed.
 */
export function reasonFor(meta: RunMeta): Reason | undefined {
  if (meta.status === "finished" && meta.verdict === "pass") return undefined;
  if (meta.status === "running") return undefined;
  const breached = meta.thresholds.filter(({ pass }) => !pass);
  const declared = breached.filter(({ implied }) => !implied);
  // One with failures behind it says most, the one the mode implies least. Latencies
  // of a run that shows nothing of the target say less than that.
  const threshold =
    declared.find((each) => failuresBehind(each, meta).length > 0) ??
      (emptyLoad(meta) === undefined ? declared[0] ?? breached[0] : undefined);
  const { failures, abort_reason } = meta;
  const failure =
    failures.find(({ step }) => stoppedBy(step) === abort_reason) ??
      (threshold
        ? failuresBehind(threshold, meta)[0]
        : meta.status === "aborted" || emptyLoad(meta) !== undefined
        ? failures.find((each) => isError(each, meta)) ?? failures[0]
        : undefined);
  const cause = causeOf(meta, threshold, failure);
  const step = failure?.step ?? (threshold && slowestStep(threshold, meta));
  return {
    text: cause,
    ...(step !== undefined && { step }),
    ...(failure && { key: failure.key, count: failure.count }),
    ...(threshold && { expression: threshold.expression }),
  };
}

function causeOf(
  meta: RunMeta,
  threshold: ThresholdVerdict | undefined,
  failure: FailureGroup | undefined,
): string {
  const failed = failure && groupText(failure);
  const { abort_reason, teardown } = meta;
  if (abort_reason) return failed ? `${abort_reason}; ${failed}` : abort_reason;
  if (!threshold) {
    const empty = emptyLoad(meta);
    if (empty !== undefined && failed) return `${failed}; ${empty}`;
    return empty ?? (teardown && onceFailure("teardown", teardown)) ??
      brokenSentence(meta) ?? "the run did not pass";
  }
  if (failed) {
    return threshold.implied ? failed : `${failed}; ${breachText(threshold)}`;
  }
  const step = slowestStep(threshold, meta);
  const { stat, actual } = threshold;
  // A threshold of one step has named it, and says nothing of the others.
  if (step === undefined || step === threshold.step || actual === null) {
    return breachText(threshold);
  }
  const slow = meta.steps.find(({ id }) => id === step)!.latency;
  const [name, ms] = figureFor(slow, stat);
  return `${breachText(threshold)}; \`${step}\` is the slowest step: ${name} ${
    latencyText(ms)
  }`;
}

/** The reason beside what stopped the run, which is said before it; undefined where that is all. */
export function besideStop(
  { reason, abort_reason }: RunMeta,
): string | undefined {
  if (!reason || reason.text === abort_reason) return undefined;
  const said = `${abort_reason}; `;
  return reason.text.startsWith(said)
    ? reason.text.slice(said.length)
    : reason.text;
}

/** The notes beside the reason, which may be one of them. */
export function besideReason({ reason, notes }: RunMeta): readonly string[] {
  return notes.filter((note) => note !== reason?.text);
}

/**
 * The reason beside a sentence that has the breached threshold already, or that the
 * run shows nothing: the failure behind it, else the slowest step, else nothing.
 * Undefined where neither is the reason.
 */
export function besideBreach(meta: RunMeta): string | undefined {
  const { reason, thresholds, abort_reason } = meta;
  const breached = thresholds.find(({ expression, implied }) =>
    expression === reason?.expression && !implied
  );
  const said = breached ? breachText(breached) : emptyLoad(meta);
  if (!reason || said === undefined || abort_reason) return undefined;
  return reason.text.replace(said, "").replace(/^; |; $/, "");
}

/** The step that a threshold is of, else the one whose latency is most of a breached one. */
function slowestStep(
  { metric, stat, step }: ThresholdVerdict,
  { steps }: RunMeta,
): string | undefined {
  if (steps.some(({ id }) => id === step)) return step;
  if (METRICS[metric] !== METRICS.latency) return undefined;
  const timed = steps
    .filter(({ id, latency }) => latency.max !== null && isPartOf(id, step))
    .toSorted((a, b) =>
      figureFor(b.latency, stat)[1] - figureFor(a.latency, stat)[1]
    );
  return timed.length < 2 ? undefined : timed[0]!.id;
}

/** The statistic of a threshold, where the step has it, else its p95. */
function figureFor(
  latency: RunMeta["latency"],
  stat = "p95",
): [name: string, ms: number] {
  const own = (latency as Readonly<Record<string, number | null>>)[stat];
  return typeof own === "number" ? [stat, own] : ["p95", latency.p95 ?? 0];
}

/** Whether two runs are of one flow in one version, target, profile and options. */
export function isRepeat(a: RunMeta, b: RunMeta): boolean {
  return repeatKey(a) === repeatKey(b);
}

/** Equal for runs whose figures may be held against one another. */
export function repeatKey(
  { flow, ir_sha256, target, mode, options = {} }: RunMeta,
): string {
  const named = Object.entries(options).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([flow, ir_sha256, target, mode, named]);
}

/** A reason with what the run before has of it. */
export function sinceBefore(reason: Reason, before: RunMeta): Reason {
  const { key, expression } = reason;
  const same = expression === undefined
    ? undefined
    : verdictOn(parseThreshold(expression), before);
  return {
    ...reason,
    before: {
      id: before.id,
      verdict: before.verdict ?? "fail",
      ...(key !== undefined && {
        count: before.failures.find((each) => each.key === key)?.count ?? 0,
      }),
      ...(same && { actual: same.actual }),
    },
  };
}

/** How a threshold came out; earlier versions wrote its limit in another unit. */
function verdictOn(
  threshold: Threshold,
  { thresholds }: RunMeta,
): ThresholdVerdict | undefined {
  const parts = comparisonOf(threshold);
  return thresholds.find(({ step, metric, stat, operator, limit }) =>
    step === parts.step && metric === parts.metric && stat === parts.stat &&
    operator === parts.operator && limit === parts.limit
  );
}

/** A reason without the run before. */
export function alone({ before: _, ...reason }: Reason): Reason {
  return reason;
}

/** `The run before passed, without this failure; error_rate was 0%.` */
export function beforeSentence(
  { reason, thresholds }: RunMeta,
): string | undefined {
  const { before, expression } = reason ?? {};
  if (!before) return undefined;
  const { verdict, count, actual } = before;
  const threshold = thresholds.find((each) => each.expression === expression);
  const failure = count === undefined
    ? ""
    : count === 0
    ? ", without this failure"
    : `, with this failure ${countText(count)} ${
      count === 1 ? "time" : "times"
    }`;
  const name = threshold &&
    (threshold.stat === undefined
      ? threshold.metric
      : `${threshold.stat}(${threshold.metric})`);
  const value = threshold && actual !== undefined
    ? `; ${name} was ${actualText({ ...threshold, actual })}`
    : "";
  return `The run before ${
    verdict === "pass" ? "passed" : "failed too"
  }${failure}${value}.`;
}
