import { errorsOf, ExpressionError } from "../base/errors/bench_error.ts";
import type { BadOutcome } from "./outcome.ts";
import {
  DURATION_PATTERN,
  durationHint,
  exactDuration,
  formatDuration,
  parseDuration,
} from "../base/values/duration.ts";

const badValue = errorsOf("threshold-value");

/** How values of one kind are written, stored and shown. */
interface Quantity {
  /** A limit as a regular expression, for editors. */
  readonly pattern: string;
  /** Written limits, for people. */
  readonly written: string;
  /** Reads a limit, in the unit of the IR. @throws {ExpressionError} */
  read(text: string, offset: number): number;
  /** The limit in its one spelling. */
  format(limit: number): string;
  /** Why a number that a program wrote is no limit. */
  problem(limit: number): string | undefined;
  /** Reports count in a unit that is so many of the IR's. */
  readonly irUnits: number;
  /** A value of a report with its unit. */
  text(value: number): string;
  /** The text of a value to so many digits, where the usual are too few. */
  precise(value: number, digits: number): string;
}

/** Microseconds in the IR, milliseconds in reports. */
const DURATION: Quantity = {
  pattern: DURATION_PATTERN,
  written: "A duration.",
  read(text, offset) {
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
  },
  format: exactDuration,
  problem: () => undefined,
  irUnits: 1_000,
  text: (ms) => formatDuration(Math.round(ms * 1_000)),
  precise: (ms, digits) =>
    exactDuration(Math.round(Number(ms.toPrecision(digits)) * 1_000)),
};

const DECIMAL = "(?:\\d+(?:\\.\\d+)?|\\.\\d+)";
const EXPONENT = "[eE]([+-]?\\d+)";
const SHARE_FORM = new RegExp(`^(${DECIMAL})(?:${EXPONENT})?\\s*(%?)$`);

/** Digits before the point, and zeros after it, up to which a pattern sees the size. */
const SEEN = 7;

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

/** A number from 0 to 1, or a percentage. */
const SHARE: Quantity = {
  pattern: "(" + [
    "0*(0|1(\\.0+)?)",
    "0*\\.\\d+",
    "0*(\\d{1,2}(\\.\\d+)?|\\.\\d+|100(\\.0+)?)\\s*%",
    `(?:0+(?:\\.0+)?|\\.0+)${EXPONENT}\\s*%?`,
    `0*[1-9]\\d{${SEEN},}(?:\\.\\d+)?[eE]-\\d+\\s*%?`,
    `0*\\.0{${SEEN},}\\d+${EXPONENT}\\s*%?`,
    `(?:${withExponent(0)})`,
    `(?:${withExponent(2)})\\s*%`,
  ].join("|") + ")",
  written:
    "A share from 0 to 1, or a percentage: `1%`, `1 %`, `0.01` and `1e-2` are the same.",
  read(text, offset) {
    const match = SHARE_FORM.exec(text);
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
    if (share <= 1) return share;
    throw badValue(
      `a rate is at most 1 (100%), but this is ${text}`,
      offset,
      percent === "%" ? undefined : `did you mean ${share}%?`,
    );
  },
  format: (share) =>
    share === 0 ? "0" : `${Number((share * 100).toPrecision(12))}%`,
  problem: (share) =>
    share >= 0 && share <= 1
      ? undefined
      : `a rate is a share from 0 to 1, but this is ${share}`,
  irUnits: 1,
  text(share) {
    const percent = share * 100;
    // What is not zero never reads zero.
    if (percent > 0 && percent < 0.01) return "<0.01%";
    if (percent < 100 && percent > 99.99) return ">99.99%";
    return `${Number(percent.toFixed(2))}%`;
  },
  precise: (share, digits) => `${Number((share * 100).toPrecision(digits))}%`,
};

/** Bytes by their unit, the largest first. */
const BYTES = { GB: 1e9, MB: 1e6, kB: 1e3, B: 1 } as const;
const BINARY = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 } as const;
const UNITS: Readonly<Record<string, number>> = { ...BYTES, ...BINARY };
const BYTE_RATE_PATTERN = `(${DECIMAL})\\s*(${
  Object.keys(UNITS).join("|")
})?(?:/s)?`;
const BYTE_RATE_FORM = new RegExp(`^${BYTE_RATE_PATTERN}$`);

/** Digits that a number of a report is rounded to, where it needs no more. */
const USUAL_DIGITS = 3;

/** Bytes a second. */
const BYTE_RATE: Quantity = {
  pattern: BYTE_RATE_PATTERN,
  written:
    "Bytes a second: `500000`, `500kB`, `0.5MB` and `500 kB/s` are the same; `KiB` and `MiB` are 1,024 and 1,048,576 bytes.",
  read(text, offset) {
    const [, digits, unit = "B"] = BYTE_RATE_FORM.exec(text) ?? [];
    if (digits !== undefined) return Math.round(Number(digits) * UNITS[unit]!);
    throw badValue(
      `"${text}" is not a number of bytes a second`,
      offset,
      "for example 500kB or 1.5MB",
    );
  },
  format(bytes) {
    const [decimal, binary] = [BYTES, BINARY].map((units) =>
      exactBytes(bytes, units)
    );
    return binary!.length < decimal!.length ? binary! : decimal!;
  },
  problem: (bytes) =>
    bytes >= 0 ? undefined : `bytes a second are at least 0, not ${bytes}`,
  irUnits: 1,
  text: (bytes) => BYTE_RATE.precise(bytes, USUAL_DIGITS),
  precise(bytes, digits) {
    const [unit, size] = unitOf(bytes, BYTES);
    return `${Number((bytes / size).toPrecision(digits))} ${unit}/s`;
  },
};

/** The largest unit that is not more than so many bytes. */
function unitOf(
  bytes: number,
  units: Readonly<Record<string, number>>,
): readonly [unit: string, size: number] {
  return Object.entries(units).find(([, size]) => bytes >= size) ?? ["B", 1];
}

/** All digits, in the largest unit that is not more. */
function exactBytes(
  bytes: number,
  units: Readonly<Record<string, number>>,
): string {
  const [unit, size] = unitOf(bytes, units);
  return `${bytes / size}${unit}`;
}

/**
 * A value with its unit beside a limit, in as many digits as it takes for the two to
 * look different: `0.0099%` beside `0.01%`.
 *
 * @param limit in the unit of the value
 */
export function textBeside(
  { text, precise }: Quantity,
  value: number,
  limit: number,
): string {
  const usual = text(value);
  const bare = (shown: string) => shown.replace(/^[<>]/, "");
  const rounded = (digits: number) =>
    value.toPrecision(digits) === limit.toPrecision(digits);
  const alike = bare(usual) === bare(text(limit)) || rounded(USUAL_DIGITS);
  if (value === limit || !alike) return usual;
  let digits = USUAL_DIGITS;
  while (digits < 17 && rounded(digits)) digits++;
  return precise(value, digits);
}

/** The spread of some latencies. Milliseconds; all zero when `count` is 0. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly avg: number;
  readonly max: number;
  /** The value `p` percent of the samples do not exceed, by nearest rank; `p` in (0, 100]. */
  percentile(p: number): number;
}

/** The figures that thresholds read, of a whole run or of a part of it. */
export interface Figures {
  /** Iterations, as those that are counted. */
  readonly completed: number;
  readonly failed: number;
  readonly throttled: number;
  /** Response time of passed and failed attempts. */
  readonly latency: Distribution;
  /** Of responses. */
  readonly bytes: number;
  readonly seconds: number;
}

/** One figure of a latency: `avg`, `min`, `max` or `p1` to `p100`. */
export function statistic(latency: Distribution, stat: string): number {
  if (stat === "avg" || stat === "min" || stat === "max") return latency[stat];
  return latency.percentile(Number(stat.slice(1)));
}

/** The facts of a metric that a threshold measures. */
interface MetricRecord {
  readonly quantity: Quantity;
  /** The version of the flow file that brought it; the first one when absent. */
  readonly version?: 1;
  /** The iterations it is a share of the completed ones of. */
  readonly counts?: BadOutcome;
  /** A sample that is no iteration. */
  readonly sample?: string;
  /** The value of a report; without samples there is none. */
  actual(figures: Figures, stat: string): number;
  samples(figures: Figures): number;
}

const completed = (figures: Figures) => figures.completed;

const METRIC_RECORDS = {
  error_rate: {
    quantity: SHARE,
    counts: "failed",
    actual: ({ failed, completed }) => failed / completed,
    samples: completed,
  },
  throttle_rate: {
    quantity: SHARE,
    counts: "throttled",
    actual: ({ throttled, completed }) => throttled / completed,
    samples: completed,
  },
  bytes_per_second: {
    quantity: BYTE_RATE,
    version: 1,
    sample: "second",
    actual: ({ bytes, seconds }) => bytes / seconds,
    samples: ({ completed, seconds }) =>
      completed === 0 || seconds === 0 ? 0 : Math.max(1, Math.round(seconds)),
  },
  latency: {
    quantity: DURATION,
    sample: "sample",
    actual: ({ latency }, stat) => statistic(latency, stat),
    samples: ({ latency }) => latency.count,
  },
} as const satisfies Readonly<Record<string, MetricRecord>>;

/** The name of a metric. */
type Metric = keyof typeof METRIC_RECORDS;
export const METRICS: Readonly<Record<Metric, MetricRecord>> = METRIC_RECORDS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];

/** Metrics that are one number, which is written by itself; a latency has statistics. */
type PlainMetric = Exclude<Metric, "latency">;
export const PLAIN_METRICS = METRIC_NAMES.filter((each): each is PlainMetric =>
  each !== "latency"
);

/**
 * Whether a step is what a threshold is of: that step, the flow of a mix that it
 * belongs to, or the whole run.
 */
export function isPartOf(step: string, of: string | undefined): boolean {
  return of === undefined || step === of || step.startsWith(`${of}/`);
}
