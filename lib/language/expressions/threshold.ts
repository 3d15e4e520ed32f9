import * as v from "valibot";
import { errorsOf, ExpressionError } from "../../base/errors/bench_error.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import {
  DURATION_PATTERN,
  durationHint,
  exactDuration,
  parseDuration,
} from "../../base/values/duration.ts";
import { RATES } from "../../model/rates.ts";
import { elsewhere } from "./elsewhere.ts";

const badValue = errorsOf("threshold-value");

const DECIMAL = "(?:\\d+(?:\\.\\d+)?|\\.\\d+)";
const EXPONENT = "[eE]([+-]?\\d+)";
const NUMBER = new RegExp(`^(${DECIMAL})(?:${EXPONENT})?\\s*(%?)$`);

/** Digits before the point, and zeros after it, up to which a pattern sees the size. */
const SEEN = 7;

/** A rate as a regular expression, for editors: a number from 0 to 1, or a percentage. */
const SHARE = "(" + [
  "0*(0|1(\\.0+)?)",
  "0*\\.\\d+",
  "0*(\\d{1,2}(\\.\\d+)?|\\.\\d+|100(\\.0+)?)\\s*%",
  `(?:0+(?:\\.0+)?|\\.0+)${EXPONENT}\\s*%?`,
  `0*[1-9]\\d{${SEEN},}(?:\\.\\d+)?[eE]-\\d+\\s*%?`,
  `0*\\.0{${SEEN},}\\d+${EXPONENT}\\s*%?`,
  `(?:${withExponent(0)})`,
  `(?:${withExponent(2)})\\s*%`,
].join("|") + ")";

/** Numbers with an exponent that are at most 10 to the power of `most`. */
function withExponent(most: number): string {
  const each = Array.from({ length: SEEN }, (_, nth) => nth);
  return [
    ...each.flatMap((more) => [
      `0*[1-9]\\d{${more}}(?:\\.\\d+)?[eE]${atMost(most - more - 1)}`,
      `0*10{${more}}(?:\\.0+)?[eE]${exactly(most - more)}`,
    ]),
    ...each.flatMap((zeros) => [
      `0*\\.0{${zeros}}[1-9]\\d*[eE]${atMost(most + zeros)}`,
      `0*\\.0{${zeros}}10*[eE]${exactly(most + zeros + 1)}`,
    ]),
  ].join("|");
}

/** Exponents up to one of a single digit. */
function atMost(exponent: number): string {
  return exponent < 0
    ? `-0*(?:[${-exponent}-9]|[1-9]\\d+)`
    : `(?:-\\d+|\\+?0*[0-${exponent}])`;
}

function exactly(exponent: number): string {
  if (exponent === 0) return "[+-]?0+";
  return exponent < 0 ? `-0*${-exponent}` : `\\+?0*${exponent}`;
}

/** Reads a rate: `0.01`, `1%`. @throws {ExpressionError} */
function shareLimit(text: string, offset: number): number {
  const match = NUMBER.exec(text);
  if (!match) {
    throw badValue(
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
    throw badValue(
      `a rate is at most 1 (100%), but this is ${text}`,
      offset,
      percent === "%" ? undefined : `did you mean ${share}%?`,
    );
  }
  return share;
}

/** Reads a duration, in microseconds. @throws {ExpressionError} */
function latencyLimit(text: string, offset: number): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new ExpressionError(
      "bad-duration",
      `latency compares with a duration: ${(error as Error).message}`,
      offset,
      durationHint(text),
    );
  }
}

/*
 * threshold := ( step ":" ws )? measured
 * measured  := rate ws op ws number ( ws "%" )? | stat "(latency)" ws op ws duration
 * rate      := "error_rate" | "throttle_rate"
 * stat      := "avg" | "min" | "max" | "p1" ... "p100"
 * op        := "<" | "<=" | ">" | ">="
 */
const FORM = /^\s*([^\s<>=!]+)\s*([<>=!]+)?\s*(.*?)\s*$/;
/** The step that a threshold is of: `login: p95(latency) < 200ms`. */
const STEP = /^\s*([A-Za-z_][\w-]*)\s*:\s+/;

const OPERATORS = ["<", "<=", ">", ">="] as const;
/** Measures of latency besides percentiles. */
export const STATS = ["avg", "min", "max"] as const;
const PERCENTILE = "[1-9]\\d?|100";
const AGGREGATES = STATS.map((stat) => `${stat}(latency)`);
/** Measures of latency, as a regular expression without ends. */
const STAT = `${STATS.join("|")}|p(?:${PERCENTILE})`;
const LATENCY = new RegExp(`^(${STAT})\\(latency\\)$`);

/** The same as a regular expression, for editors. */
export const THRESHOLD_PATTERN = "^\\s*([A-Za-z_][\\w-]*\\s*:\\s+)?(" +
  `(${RATES.join("|")})\\s*[<>]=?\\s*${SHARE}|` +
  `(${STAT})\\(latency\\)\\s*[<>]=?\\s*${DURATION_PATTERN}` +
  ")\\s*$";

const op = v.picklist(OPERATORS);
const schema = v.variant("metric", [
  v.strictObject({
    metric: v.literal("latency"),
    /** `avg`, `min`, `max`, or `p1` to `p100`. */
    stat: v.pipe(v.string(), v.regex(new RegExp(`^(${STAT})$`))),
    op,
    value_us: v.pipe(v.number(), v.integer(), v.minValue(0)),
    /** The step it is of; the whole run when absent. */
    step: v.exactOptional(v.string()),
  }),
  v.strictObject({
    metric: v.picklist(RATES),
    op,
    /** A share: `1%` is 0.01. */
    value: v.number(),
    step: v.exactOptional(v.string()),
  }),
]);
export type Threshold = v.InferOutput<typeof schema>;

/** Thresholds in a file, in the IR and in an editor. */
export const threshold = {
  noun: "a threshold",
  example: "error_rate < 1%",
  parse: parseThreshold,
  schema,
  form: { $ref: "#/$defs/threshold" },
} as const;

/**
 * Reads one threshold.
 *
 * @throws {ExpressionError} with the offset of the error
 */
export function parseThreshold(text: string): Threshold {
  const [prefix, step] = STEP.exec(text) ?? [""];
  if (step === undefined) return parseMeasured(text);
  try {
    return { ...parseMeasured(text.slice(prefix.length)), step };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, hint } = error;
    const offset = error.offset + prefix.length;
    throw new ExpressionError(code, message, offset, hint);
  }
}

function parseMeasured(text: string): Threshold {
  const [, left = "", op = "", right = ""] = FORM.exec(text) ?? [];
  const leftAt = text.length - text.trimStart().length;
  const opAt = text.indexOf(op, leftAt + left.length);
  const rightAt = right === "" ? text.length : text.lastIndexOf(right);
  const metric = parseMetric(left, leftAt);
  const operator = OPERATORS.find((each) => each === op);
  if (!operator) {
    throw new ExpressionError(
      "threshold-operator",
      op === ""
        ? `no operator after \`${left}\``
        : `\`${op}\` is not a threshold operator`,
      op === "" ? leftAt + left.length : opAt,
      `operators: ${OPERATORS.join(", ")}`,
    );
  }
  if (right === "") {
    throw new ExpressionError(
      "threshold-value",
      `no value after \`${op}\``,
      opAt,
    );
  }
  const rate = RATES.find((each) => each === metric);
  return rate
    ? { metric: rate, op: operator, value: shareLimit(right, rightAt) }
    : {
      metric: "latency",
      stat: metric,
      op: operator,
      value_us: latencyLimit(right, rightAt),
    };
}

const badMetric = errorsOf("threshold-metric");

/** The threshold in its one spelling: `p95(latency) < 300ms`, `error_rate < 1%`. */
export function formatThreshold(threshold: Threshold): string {
  const of = threshold.step === undefined ? "" : `${threshold.step}: `;
  return of +
    (threshold.metric === "latency"
      ? `${threshold.stat}(latency) ${threshold.op} ${
        exactDuration(threshold.value_us)
      }`
      : `${threshold.metric} ${threshold.op} ${formatShare(threshold.value)}`);
}

/** The value that a threshold compares, in the units of a report: milliseconds, a share. */
interface Comparison {
  readonly metric: Threshold["metric"];
  readonly step?: string;
  readonly stat?: string;
  readonly operator: Threshold["op"];
  readonly limit: number;
}

/** The parts of a threshold as a report stores them. */
export function comparisonOf(threshold: Threshold): Comparison {
  const { metric, step, op: operator } = threshold;
  const of = step === undefined ? {} : { step };
  return metric === "latency"
    ? {
      ...of,
      metric,
      stat: threshold.stat,
      operator,
      limit: threshold.value_us / 1e3,
    }
    : { ...of, metric, operator, limit: threshold.value };
}

function formatShare(share: number): string {
  return share === 0 ? "0" : `${Number((share * 100).toPrecision(12))}%`;
}

/** `error_rate`, `throttle_rate`, or the latency statistic. */
function parseMetric(text: string, offset: number): string {
  if (RATES.some((rate) => rate === text)) return text;
  const stat = LATENCY.exec(text)?.[1];
  if (stat !== undefined) return stat;
  const [, percentile] = /^(p\d+)\(latency\)$/.exec(text) ?? [];
  if (percentile !== undefined) {
    throw badMetric(
      `percentiles go from p1 to p100, not \`${percentile}\``,
      offset,
    );
  }
  const near = meantStatistic(text);
  throw badMetric(
    `\`${text}\` is not a threshold metric`,
    offset,
    near
      ? `did you mean \`${near}\`?`
      : elsewhere("threshold", text) ?? didYouMean(text, MEASURES) ??
        `measures: ${
          [...RATES, ...AGGREGATES].join(", ")
        }, p1(latency) to p100(latency)`,
  );
}

function meantStatistic(text: string): string | undefined {
  const percent = /^p\(?(\d+)\)?$/.exec(text)?.[1];
  const meant = `p${percent}(latency)`;
  if (percent !== undefined && LATENCY.test(meant)) return meant;
  return AGGREGATES.find((each) => each === `${text}(latency)`);
}

/** The metrics of a threshold; of the percentiles, those most used. */
export const MEASURES = [
  ...RATES,
  ...AGGREGATES,
  "p50(latency)",
  "p90(latency)",
  "p95(latency)",
  "p99(latency)",
];
