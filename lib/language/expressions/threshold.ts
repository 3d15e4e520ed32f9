import * as v from "valibot";
import { RATES } from "../../model/rates.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { elsewhere } from "./elsewhere.ts";
import { DURATION_PATTERN, exactDuration } from "../../base/values/duration.ts";
import { latencyLimit, SHARE, shareLimit } from "./threshold_limit.ts";
import {
  errorsOf,
  ExpressionError,
} from "../../base/errors/expression_error.ts";

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

/** What a threshold compares, in the units of a report: milliseconds, a share. */
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

/** What a threshold may measure; of the percentiles, those most used. */
export const MEASURES = [
  ...RATES,
  ...AGGREGATES,
  "p50(latency)",
  "p90(latency)",
  "p95(latency)",
  "p99(latency)",
];
