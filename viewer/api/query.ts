import { OUTCOME_NAMES } from "../../lib/model/outcome.ts";
import type { Format } from "../model/formats.ts";
import { RUN_SORTS } from "../model/run_list.ts";
import { TRACE_NUMBERS, TRACE_SORTS } from "../model/traces.ts";

/** The values that a parameter may have. */
interface Values {
  readonly are: string;
  readonly fits: (text: string) => boolean;
  /** It may be given several times. */
  readonly many?: true;
}

/** The parameters of an endpoint, by name. */
export type Parameters = Readonly<Record<string, Values>>;

const TEXT: Values = { are: "a text", fits: () => true };
const NUMBER: Values = {
  are: "a number",
  fits: (text) => Number.isFinite(Number(text)),
};
const PERCENTS: Values = {
  are: "percentiles above 0 and up to 100, such as 50,99.9",
  fits: (text) =>
    text.split(",").every((each) => Number(each) > 0 && Number(each) <= 100),
};

function wholeFrom(least: number): Values {
  return {
    are: `a whole number from ${least} on`,
    fits: (text) => Number.isInteger(Number(text)) && Number(text) >= least,
  };
}

function oneOf(words: readonly string[]): Values {
  return { are: words.join(", "), fits: (text) => words.includes(text) };
}

function numbers(names: readonly string[]): Parameters {
  return Object.fromEntries(names.map((name) => [name, NUMBER]));
}

const TRACES: Parameters = {
  ...numbers(TRACE_NUMBERS),
  status: wholeFrom(0),
  vu: wholeFrom(0),
  outcome: oneOf(OUTCOME_NAMES),
  step: TEXT,
  q: TEXT,
};

export const PARAMETERS = {
  runs: {
    q: TEXT,
    sort: oneOf(RUN_SORTS.flatMap((key) => [key, `-${key}`])),
    page: wholeFrom(1),
  },
  series: { ...numbers(["t0", "t1"]), points: wholeFrom(1) },
  heatmap: numbers(["t0", "t1"]),
  histogram: { step: TEXT, q: PERCENTS },
  traces: {
    ...TRACES,
    sort: oneOf(TRACE_SORTS),
    cursor: TEXT,
    limit: wholeFrom(1),
  },
  flame: { ...TRACES, at: { ...TEXT, many: true } },
  compare: { a: TEXT, b: TEXT },
} satisfies Readonly<Record<string, Parameters>>;

export const NO_PARAMETERS: Parameters = {};
/** VUs as the pages count them, whose filters the links of exports have. */
const CHOSEN: Parameters = { ...TRACES, vu: wholeFrom(1), trace: TEXT };
const PAYLOADS: Parameters = { payloads: oneOf(["no"]) };

/** The parameters of each form that a run is exported in. */
export const EXPORTED: Readonly<Record<Format, Parameters>> = {
  html: PAYLOADS,
  json: NO_PARAMETERS,
  junit: NO_PARAMETERS,
  md: NO_PARAMETERS,
  csv: NO_PARAMETERS,
  har: { ...CHOSEN, ...PAYLOADS },
  speedscope: CHOSEN,
  "trace-events": CHOSEN,
  otlp: CHOSEN,
};

/**
 * Why a query cannot be read: a name that is no parameter, a second value of one, or a
 * value that one cannot have. An empty value is none. A page leaves out what makes no sense; a program would
 * take all for the part that it asked for.
 */
export function misread(
  query: URLSearchParams,
  parameters: Parameters,
): string | undefined {
  for (const [name, text] of query) {
    const values = Object.hasOwn(parameters, name)
      ? parameters[name]
      : undefined;
    if (!values) {
      const known = Object.keys(parameters).join(", ") || "none here";
      return `there is no parameter \`${name}\`; there are ${known}`;
    }
    if (!values.many && query.getAll(name).length > 1) {
      return `\`${name}\` must be given once`;
    }
    if (text.trim() !== "" && !values.fits(text)) {
      return `\`${name}\` must be ${values.are}, but it is "${text}"`;
    }
  }
  for (const [first, last] of [["t0", "t1"], ["min", "max"]] as const) {
    const [from, to] = [query.get(first)?.trim(), query.get(last)?.trim()];
    if (from && to && Number(from) > Number(to)) {
      return `\`${first}\` must not be above \`${last}\`, but it is ${from}, above ${to}`;
    }
  }
}
