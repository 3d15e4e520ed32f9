import { isPartOf, METRICS } from "../../model/metrics.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import { BAD_OUTCOMES } from "../../model/outcome.ts";
import type {
  FailureGroup,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import { actualText, countText, samplesText, typedText } from "./figures.ts";

/* What did not pass, in the words of every report that is no page. */

/**
 * Every iteration that did not pass counts as failed, throttled ones too. Under load
 * these may have failed in another step.
 */
export function throttlesFail(
  { iterations, mode, failures }: RunMeta,
): boolean {
  return iterations.failed === iterations.completed - iterations.passed &&
    (isFunctional(mode as Mode) ||
      failures.every(({ outcome }) => outcome !== "failed"));
}

/** `12 × login: response status was 401 Unauthorized`. */
export function groupText({ count, step, message }: FailureGroup): string {
  return `${countText(count)} × ${step}: ${message}`;
}

/** `p95(latency) < 300ms did not hold: it was 412ms over 1,204 samples`. */
export function breachText(threshold: ThresholdVerdict): string {
  const { expression, actual, metric } = threshold;
  const found = actual === null
    ? "there were no samples"
    : `it was ${actualText(threshold)} ${
      METRICS[metric].counts ? "of" : "over"
    } ${samplesText(threshold)}`;
  return `${expression} did not hold: ${found}`;
}

/** The expected and the actual value, a line each. */
export function valuesText(
  { expected, actual }: Pick<FailureGroup, "expected" | "actual">,
): string[] {
  return [
    ...(expected ? [`expected: ${typedText(expected)}`] : []),
    ...(actual ? [`actual:   ${typedText(actual)}`] : []),
  ];
}

/**
 * The failures behind a threshold that did not hold, or why it has no samples; most
 * frequent first.
 */
export function failuresBehind(
  { metric, actual, step }: ThresholdVerdict,
  meta: RunMeta,
): FailureGroup[] {
  const { counts } = METRICS[metric];
  if (!counts && actual !== null) return [];
  const outcomes = counts && !(counts === "failed" && throttlesFail(meta))
    ? [counts]
    : BAD_OUTCOMES;
  return meta.failures.filter((group) =>
    outcomes.includes(group.outcome) &&
    isPartOf(group.step, step)
  );
}
