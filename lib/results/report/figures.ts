import type { TypedValue } from "../../model/result/failure.ts";
import type {
  RowSummary,
  StepSummary,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import { formatDuration } from "../../base/values/duration.ts";

/*
 * Figures as a person reads them; every output that shows them uses these.
 */

/** `1,204`. The runtime's own formatting would load its tables of languages first, 9 ms of each run. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 iteration`, `1,204 iterations`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Milliseconds with a fitting unit: `44ms`, `1.2s`. */
export function latencyText(ms: number): string {
  return formatDuration(Math.round(ms * 1_000));
}

/** A share in percent: `0.08%`. What is not zero never reads zero. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) return "<0.01%";
  if (percent < 100 && percent > 99.99) return ">99.99%";
  return `${Number(percent.toFixed(2))}%`;
}

/**
 * The attempts of a step that did not pass and were repeated, such as
 * `43 throttled`: its final classes do not have them. Empty when there are none.
 */
export function repeatedText(step: StepSummary): string {
  return (["throttled", "failed"] as const).flatMap((outcome) => {
    const count = step.attempts[outcome] - step[outcome];
    return count > 0 ? [`${countText(count)} ${outcome}`] : [];
  }).join(", ");
}

/** A fixture row, counted from 1 as people do; `row` is 0-based. */
export function rowText(row: number, name?: string): string {
  const number = `row ${countText(row + 1)}`;
  return name === undefined ? number : `${number} ${name}`;
}

/** What a row of a run is called: its fixture row, or its iteration without one. */
export function rowName(
  { row, row_name, iteration }: Pick<
    RowSummary,
    "row" | "row_name" | "iteration"
  >,
): string {
  return row === undefined
    ? `iteration ${countText(iteration + 1)}`
    : rowText(row, row_name);
}

/** A value with its type and how it was compared: `< integer <3>`. */
export function typedText({ type, text, operator }: TypedValue): string {
  const value = text === "" ? type : `${type} <${text}>`;
  return operator === undefined ? value : `${operator} ${value}`;
}

/** What a threshold came out at, with its unit. */
export function actualText({ metric, actual }: ThresholdVerdict): string {
  if (actual === null) return "no samples";
  return metric === "latency" ? latencyText(actual) : shareText(actual);
}

/** What a threshold was judged over: `3 iterations`, `1,204 samples`. */
export function samplesText(
  { metric, step, samples }: ThresholdVerdict,
): string {
  const counted = step === undefined ? "iteration" : "execution";
  return plural(samples, metric === "latency" ? "sample" : counted);
}
