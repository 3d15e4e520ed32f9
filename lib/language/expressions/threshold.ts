import type { Threshold } from "../../model/ir/flow.ts";
import { nearest } from "../../base/text/suggest.ts";
import {
  durationHint,
  exactDuration,
  parseDuration,
} from "../../base/values/duration.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";

/*
 * threshold := rate ws op ws number ( ws "%" )? | stat "(latency)" ws op ws duration
 * rate      := "error_rate" | "throttle_rate"
 * stat      := "avg" | "min" | "max" | "p1" ... "p100"
 * op        := "<" | "<=" | ">" | ">="
 */
const FORM = /^\s*([^\s<>=!]+)\s*([<>=!]+)?\s*(.*?)\s*$/;

const EXPONENT = "[eE][+-]?\\d+";
/** A number from 0 to 1, a percentage, or either with an exponent, of any size. */
const SHARE = "(" + [
  "0*(0|1(\\.0+)?)",
  "0*\\.\\d+",
  "0*(\\d{1,2}(\\.\\d+)?|\\.\\d+|100(\\.0+)?)\\s*%",
  `(\\d+(\\.\\d+)?|\\.\\d+)${EXPONENT}\\s*%?`,
].join("|") + ")";

/** The same as a regular expression, for editors. */
export const THRESHOLD_PATTERN = "^\\s*(" +
  `(error_rate|throttle_rate)\\s*[<>]=?\\s*${SHARE}|` +
  "(avg|min|max|p([1-9]\\d?|100))\\(latency\\)\\s*[<>]=?\\s*\\d+(\\.\\d+)?(us|ms|s|m|h)" +
  ")\\s*$";

/**
 * Reads one threshold.
 *
 * @throws {ExpressionError} with the offset of the mistake
 */
export function parseThreshold(text: string): Threshold {
  const [, left = "", op = "", right = ""] = FORM.exec(text) ?? [];
  const leftAt = text.length - text.trimStart().length;
  const opAt = text.indexOf(op, leftAt + left.length);
  const rightAt = right === "" ? text.length : text.lastIndexOf(right);
  const metric = parseMetric(left, leftAt);
  if (op !== "<" && op !== "<=" && op !== ">" && op !== ">=") {
    throw new ExpressionError(
      "threshold-operator",
      op === ""
        ? `no operator after \`${left}\``
        : `\`${op}\` is not a threshold operator`,
      op === "" ? leftAt + left.length : opAt,
      "operators: <, <=, >, >=",
    );
  }
  if (right === "") {
    throw new ExpressionError(
      "threshold-value",
      `no value after \`${op}\``,
      opAt,
    );
  }
  return metric === "error_rate" || metric === "throttle_rate"
    ? { metric, op, value: parseShare(right, rightAt) }
    : {
      metric: "latency",
      stat: metric,
      op,
      value_us: latency(right, rightAt),
    };
}

/** The threshold in its one spelling: `p95(latency) < 300ms`, `error_rate < 1%`. */
export function formatThreshold(threshold: Threshold): string {
  return threshold.metric === "latency"
    ? `${threshold.stat}(latency) ${threshold.op} ${
      exactDuration(threshold.value_us)
    }`
    : `${threshold.metric} ${threshold.op} ${formatShare(threshold.value)}`;
}

/** What a threshold compares, in the units of a report: milliseconds, a share. */
export interface Comparison {
  readonly metric: Threshold["metric"];
  readonly stat?: string;
  readonly operator: Threshold["op"];
  readonly limit: number;
}

/** The parts of a threshold as a report stores them. */
export function comparisonOf(threshold: Threshold): Comparison {
  const { metric, op: operator } = threshold;
  return metric === "latency"
    ? {
      metric,
      stat: threshold.stat,
      operator,
      limit: threshold.value_us / 1e3,
    }
    : { metric, operator, limit: threshold.value };
}

function formatShare(share: number): string {
  return share === 0 ? "0" : `${Number((share * 100).toPrecision(12))}%`;
}

/** `error_rate`, `throttle_rate`, or the latency statistic. */
function parseMetric(text: string, offset: number): string {
  if (text === "error_rate" || text === "throttle_rate") return text;
  const match = /^(\w+)\(latency\)$/.exec(text);
  const stat = match?.[1] ?? "";
  if (/^(avg|min|max|p([1-9]\d?|100))$/.test(stat)) return stat;
  if (/^p\d+$/.test(stat)) {
    throw new ExpressionError(
      "threshold-metric",
      `percentiles go from p1 to p100, not \`${stat}\``,
      offset,
    );
  }
  const near = meantStatistic(text) ?? nearest(text, MEASURES);
  throw new ExpressionError(
    "threshold-metric",
    `\`${text}\` is not something a threshold measures`,
    offset,
    near
      ? `did you mean \`${near}\`?`
      : "measures: error_rate, throttle_rate, avg(latency), min(latency), max(latency), p1(latency) to p100(latency)",
  );
}

/** Words of other tools, and statistics without what they are of. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  avg: "avg(latency)",
  mean: "avg(latency)",
  min: "min(latency)",
  max: "max(latency)",
  med: "p50(latency)",
  median: "p50(latency)",
  latency: "p95(latency)",
  http_req_duration: "p95(latency)",
  http_req_failed: "error_rate",
  errors: "error_rate",
};

function meantStatistic(text: string): string | undefined {
  const percent = /^p\(?(\d+)\)?$/.exec(text)?.[1];
  if (percent !== undefined && /^([1-9]\d?|100)$/.test(percent)) {
    return `p${percent}(latency)`;
  }
  return Object.hasOwn(ELSEWHERE, text) ? ELSEWHERE[text] : undefined;
}

/** What a threshold may measure; of the percentiles, those most used. */
export const MEASURES = [
  "error_rate",
  "throttle_rate",
  "avg(latency)",
  "min(latency)",
  "max(latency)",
  "p50(latency)",
  "p90(latency)",
  "p95(latency)",
  "p99(latency)",
];

function parseShare(text: string, offset: number): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(?:[eE]([+-]?\d+))?\s*(%?)$/.exec(text);
  if (!match) {
    throw new ExpressionError(
      "threshold-value",
      `"${text}" is not a rate: expected a number or a percentage`,
      offset,
      "for example 0.01 or 1%",
    );
  }
  // Moving the decimal point in the text keeps 1.1% at 0.011 exactly.
  const [, digits, exponent = "0", percent] = match;
  const share = Number(
    `${digits}e${Number(exponent) - (percent === "%" ? 2 : 0)}`,
  );
  if (share > 1) {
    throw new ExpressionError(
      "threshold-value",
      `a rate is at most 1 (100%), but this is ${text}`,
      offset,
      percent === "%" ? undefined : `did you mean ${share}%?`,
    );
  }
  return share;
}

function latency(text: string, offset: number): number {
  try {
    const micros = parseDuration(text);
    if (micros >= 0) return micros;
  } catch (error) {
    throw new ExpressionError(
      "bad-duration",
      `latency compares with a duration: ${(error as Error).message}`,
      offset,
      durationHint(text),
    );
  }
  throw new ExpressionError(
    "threshold-value",
    `a latency is never negative, but this is ${text}`,
    offset,
  );
}
