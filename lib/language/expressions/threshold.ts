import * as v from "valibot";
import { errorsOf, ExpressionError } from "../../base/errors/bench_error.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { METRICS, PLAIN_METRICS } from "../../model/metrics.ts";
import { isOr, JOINT } from "./assertion_ir.ts";
import { elsewhere, offeredBy } from "./elsewhere.ts";

/*
 * threshold := ( ( step | flow | flow "/" step ) ":" ws )? measured
 * measured  := metric ws op ws limit | stat "(latency)" ws op ws duration
 * metric    := a name of METRICS
 * stat      := "avg" | "min" | "max" | "p1" ... "p100"
 * op        := "<" | "<=" | ">" | ">="
 */
const FORM = /^\s*([^\s<>=!]+)\s*([<>=!]+)?\s*(.*?)\s*$/;
/**
 * The step or flow that a threshold is of: `login: p95(latency) < 200ms`, `browse/login: ...`.
 * An id may be any text, and what follows its colon has no other.
 */
const OF = "\\S(?:.*\\S)?";
const STEP = new RegExp(`^\\s*(${OF})\\s*:\\s*`);

const OPERATORS = ["<", "<=", ">", ">="] as const;
/** Measures of latency besides percentiles. */
export const STATS = ["avg", "min", "max"] as const;
const PERCENTILE = "[1-9]\\d?|100";
const AGGREGATES = STATS.map((stat) => `${stat}(latency)`);
/** Measures of latency, as a regular expression without ends. */
const STAT = `${STATS.join("|")}|p(?:${PERCENTILE})`;
const LATENCY = new RegExp(`^(${STAT})\\(latency\\)$`);

/** A threshold as a regular expression, for editors. */
export const THRESHOLD_PATTERN = `^\\s*(${OF}\\s*:\\s*)?(` +
  PLAIN_METRICS.map((name) =>
    `${name}\\s*[<>]=?\\s*(?:${METRICS[name].quantity.pattern})|`
  ).join("") +
  `(${STAT})\\(latency\\)\\s*[<>]=?\\s*${METRICS.latency.quantity.pattern}` +
  ")\\s*$";

const op = v.picklist(OPERATORS);
const schema = v.variant("metric", [
  v.strictObject({
    metric: v.literal("latency"),
    /** `avg`, `min`, `max`, or `p1` to `p100`. */
    stat: v.pipe(v.string(), v.regex(new RegExp(`^(${STAT})$`))),
    op,
    value_us: v.pipe(v.number(), v.integer(), v.minValue(0)),
    /** The step it is of, or the flow of a mix; the whole run when absent. */
    step: v.exactOptional(v.string()),
  }),
  v.strictObject({
    metric: v.picklist(PLAIN_METRICS),
    op,
    /** In the unit of the metric: a share (`1%` is 0.01), bytes a second. */
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
 * @param version of the flow file: hints name what that has
 * @throws {ExpressionError} with the offset of the error
 */
export function parseThreshold(text: string, version: 0 | 1 = 1): Threshold {
  const [prefix, step] = STEP.exec(text) ?? [""];
  if (step === undefined) return parseMeasured(text, version);
  try {
    return { ...parseMeasured(text.slice(prefix.length), version), step };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, hint } = error;
    const offset = error.offset + prefix.length;
    throw new ExpressionError(code, message, offset, hint);
  }
}

function parseMeasured(text: string, version: 0 | 1): Threshold {
  const [, left = "", op = "", right = ""] = FORM.exec(text) ?? [];
  const leftAt = text.length - text.trimStart().length;
  const opAt = text.indexOf(op, leftAt + left.length);
  const rightAt = right === "" ? text.length : text.lastIndexOf(right);
  refuseTurned(left, op, right, leftAt);
  const metric = parseMetric(left, leftAt, version);
  const operator = OPERATORS.find((each) => each === op);
  if (!operator) {
    throw new ExpressionError(
      "threshold-operator",
      op === ""
        ? `no operator after \`${left}\``
        : `\`${op}\` is not a threshold operator`,
      op === "" ? leftAt + left.length : opAt,
      /^={1,3}$/.test(op)
        ? "did you mean `<=`?"
        : `operators: ${OPERATORS.join(", ")}`,
    );
  }
  if (right === "") {
    throw new ExpressionError(
      "threshold-value",
      `no value after \`${op}\``,
      opAt,
    );
  }
  refuseJoined(right, rightAt);
  const plain = PLAIN_METRICS.find((each) => each === metric);
  const limit = METRICS[plain ?? "latency"].quantity.read(right, rightAt);
  return plain
    ? { metric: plain, op: operator, value: limit }
    : { metric: "latency", stat: metric, op: operator, value_us: limit };
}

/** Refuses another condition behind a limit, which would be read as a part of it. */
function refuseJoined(right: string, offset: number): void {
  const joint = new RegExp(JOINT).exec(right);
  if (!joint) return;
  const rest = right.slice(joint.index).trimStart();
  if (rest.startsWith("#")) return;
  throw new ExpressionError(
    "threshold-value",
    `a threshold is one condition, but \`${rest}\` follows it`,
    offset + right.length - rest.length,
    `all thresholds have to hold: ${
      isOr(rest) ? "there is no `or`" : "make it another item of `thresholds`"
    }`,
  );
}

const badMetric = errorsOf("threshold-metric");

/** Refuses `1% > error_rate`. */
function refuseTurned(
  left: string,
  op: string,
  right: string,
  offset: number,
): void {
  const isMetric = LATENCY.test(right) ||
    PLAIN_METRICS.some((each) => each === right);
  if (!/^[\d.]/.test(left) || !isMetric) return;
  const turned = op.startsWith(">")
    ? op.replace(">", "<")
    : op.startsWith("<")
    ? op.replace("<", ">")
    : "<=";
  throw badMetric(
    `\`${left}\` is not a threshold metric`,
    offset,
    `turn it round: \`${right} ${turned} ${left}\``,
  );
}

/** The threshold in its one spelling: `p95(latency) < 300ms`, `error_rate < 1%`. */
export function formatThreshold(threshold: Threshold): string {
  const { metric, step, op } = threshold;
  const of = step === undefined ? "" : `${step}: `;
  const measured = "stat" in threshold
    ? `${threshold.stat}(${metric})`
    : metric;
  const limit = METRICS[metric].quantity.format(limitOf(threshold));
  return `${of}${measured} ${op} ${limit}`;
}

/** The limit of a threshold, in the unit of the IR. */
export function limitOf(threshold: Threshold): number {
  return "stat" in threshold ? threshold.value_us : threshold.value;
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
  return {
    ...(step !== undefined && { step }),
    metric,
    ...("stat" in threshold && { stat: threshold.stat }),
    operator,
    limit: limitOf(threshold) / METRICS[metric].quantity.irUnits,
  };
}

/** The name of a metric, or the latency statistic. */
function parseMetric(text: string, offset: number, version: 0 | 1): string {
  if (PLAIN_METRICS.some((each) => each === text)) return text;
  const stat = LATENCY.exec(text)?.[1];
  if (stat !== undefined) return stat;
  const [, percentile] = /^(p\d+)\(latency\)$/.exec(text) ?? [];
  if (percentile !== undefined) {
    const plain = text.replace(/^p0+/, "p");
    throw badMetric(
      `percentiles go from p1 to p100, not \`${percentile}\``,
      offset,
      LATENCY.test(plain) ? `did you mean \`${plain}\`?` : undefined,
    );
  }
  const isLater = (name: string) =>
    PLAIN_METRICS.some((each) =>
      each === name && (METRICS[each].version ?? 0) > version
    );
  const known = MEASURES.filter((each) => !isLater(each));
  const near = meantStatistic(text);
  const other = elsewhere("threshold", text);
  throw badMetric(
    `\`${text}\` is not a threshold metric`,
    offset,
    near
      ? `did you mean \`${near}\`?`
      : other && isLater(offeredBy(other) ?? "")
      ? `${other} it belongs to version 1: add \`version: 1\``
      : other ?? didYouMean(text, known) ??
        `measures: ${
          known.filter((each) => !each.startsWith("p")).join(", ")
        }, p1(latency) to p100(latency)`,
  );
}

function meantStatistic(text: string): string | undefined {
  const percent = /^(?:.*(?:latency|duration|time)\.)?p\(?(\d+)\)?$/i
    .exec(text)?.[1];
  const meant = `p${percent}(latency)`;
  if (percent !== undefined && LATENCY.test(meant)) return meant;
  const [, stat = text] = OF_TIME.exec(text) ?? [];
  const own = `${STATISTICS[stat] ?? stat}(latency)`;
  return LATENCY.test(own) ? own : undefined;
}

/** Latency, by its names in other tools: `median(http_req_duration)`. */
const OF_TIME =
  /^(\w+)\((?:latency|duration|time|ms|response_?time|service_?time|http_req_duration)?\)$/i;
const STATISTICS: Readonly<Record<string, string>> = {
  ...{ median: "p50", med: "p50", mean: "avg", average: "avg" },
};

/** The metrics of a threshold; of the percentiles, those most used. */
export const MEASURES = [
  ...PLAIN_METRICS,
  ...AGGREGATES,
  "p50(latency)",
  "p90(latency)",
  "p95(latency)",
  "p99(latency)",
];

/**
 * Whether the figure of a threshold is known by the second: there are no bytes of a
 * step, and no rates of a flow.
 *
 * @param flows of a mix, by name
 */
export function isKnownBySecond(
  { step, metric }: Threshold,
  flows: readonly string[],
): boolean {
  return step === undefined || metric === "latency" ||
    (metric !== "bytes_per_second" && !flows.includes(step));
}
