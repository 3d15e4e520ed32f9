import { sum } from "../../base/values/sum.ts";
import { isPartOf, METRICS } from "../../model/metrics.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import { OUTCOMES } from "../../model/outcome.ts";
import type {
  FailureGroup,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import { actualText, countText, samplesText, typedText } from "./figures.ts";

/* What did not pass, in the words of every report that is no page. */

/** Whether a failure fails its iteration; a throttle may be one that does not. */
export function isError(
  { outcome, throttle_is_error }: FailureGroup,
  { mode }: RunMeta,
): boolean {
  return OUTCOMES[outcome].isError ||
    (throttle_is_error ?? isFunctional(mode as Mode));
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

/** The values of a check that did not hold, in one failure or in a group. */
export type Compared =
  & Pick<FailureGroup, "expected" | "actual" | "values">
  & { readonly count?: number };

/** The expected and the actual value, a line each. */
export function valuesText(failure: Compared): string[] {
  const { expected, actual } = failure;
  return [
    ...(expected ? [`expected: ${typedText(expected)}`] : []),
    ...(actual
      ? [`actual:   ${severalValues(failure) ?? typedText(actual)}`]
      : []),
  ];
}

/** `string <pending> (80), <failed> (12) and others`; undefined where all had one value. */
export function severalValues(
  { actual, values, count = 1 }: Compared,
): string | undefined {
  if (!actual || !values) return undefined;
  const named = values.map((each) =>
    `<${each.text}> (${countText(each.count)})`
  );
  const others = sum(values, (each) => each.count) < count ? " and others" : "";
  return `${actual.type} ${named.join(", ")}${others}`;
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
  return meta.failures.filter((group) =>
    isPartOf(group.step, step) &&
    (counts === "failed"
      ? isError(group, meta)
      : counts === undefined || group.outcome === counts)
  );
}
