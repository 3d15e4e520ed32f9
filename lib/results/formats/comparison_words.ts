import type {
  ComparedFigure,
  ComparisonVerdict,
  RunComparison,
} from "../comparison/comparison.ts";
import { latencyText, shareText } from "../report/figures.ts";

/** `p95`, `login p95`. */
export function figureName({ metric, step }: ComparedFigure): string {
  const name = metric === "requests_per_second" ? "requests/s" : metric;
  return step === undefined ? name : `${step} ${name}`;
}

/** With its unit; `-` when there is none. */
export function valueText(
  { unit }: Pick<ComparedFigure, "unit">,
  value: number | null,
): string {
  if (value === null) return "-";
  if (unit === "ms") return latencyText(Number(value.toPrecision(4)));
  return unit === "share"
    ? shareText(value)
    : Number(value.toPrecision(4)) + "";
}

/** `+18% (+9% to +27%)`; of rates in percentage points. */
export function changeText({ change, unit }: ComparedFigure): string {
  if (change === null) return "-";
  const { value, low, high } = change;
  const text = (each: number, unit: string) => `${signed(each * 100)}${unit}`;
  return unit === "share"
    ? `${text(value, "")} points (${text(low, "")} to ${text(high, "")})`
    : `${text(value, "%")} (${text(low, "%")} to ${text(high, "%")})`;
}

/** The verdict, and what it lacks. */
export function verdictText({ verdict, detail }: ComparedFigure): string {
  return detail === undefined ? verdict : `${verdict}: ${detail}`;
}

/** A sentence about the comparison as a whole. */
export function comparisonSentence(
  { verdict, figures, margin }: RunComparison,
): string {
  const names = (verdict: ComparisonVerdict) =>
    figures.filter((each) => each.verdict === verdict).map(figureName)
      .join(", ");
  const beyond = `by more than ${percent(margin)}`;
  switch (verdict) {
    case "worse":
      return `worse ${beyond}: ${names("worse")}`;
    case "better":
      return `better ${beyond}: ${names("better")}`;
    case "same":
      return `the same within ${percent(margin)}`;
    case "unclear":
      return `not surely worse; unclear: ${names("unclear")}`;
  }
}

/** How the figures came about. */
export function methodSentence(
  { paired, confidence, bases }: RunComparison,
): string {
  const how = paired
    ? "measured in the same seconds"
    : bases.length === 1
    ? "one base run: what differs between runs is not known"
    : `${bases.length} base runs`;
  return `intervals hold together with ${
    percent(confidence)
  } confidence; ${how}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

function signed(value: number): string {
  const digits = Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  const number = Number(value.toFixed(digits));
  return `${number > 0 ? "+" : ""}${number}`;
}
