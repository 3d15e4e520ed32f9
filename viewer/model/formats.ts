/** Where the traces or the series of a run are shown, and can be had. */
export type ShownAt = "trace" | "flame" | "series";

/** A form that a stored run can be taken away in. */
interface RunFormat {
  readonly title: string;
  /** Its purpose. */
  readonly use: string;
  /** A further sentence for the documentation. */
  readonly more?: string;
  readonly type: string;
  /** The ending of a file's name that chooses it. */
  readonly ending: string;
  /** How a file of it ends, when that is longer. */
  readonly suffix?: string;
  /** Pages that offer it besides the menu of every run. */
  readonly at?: readonly ShownAt[];
}

const JSON_TYPE = "application/json";

/**
 * Every form: for `--format`, addresses, links and documentation. `exports.ts`
 * has what makes each.
 */
export const FORMATS = {
  html: {
    title: "Report",
    use: "one HTML file, for people",
    more:
      "everything of the run page, all failures, up to 20 traces and the flame graph, in at most 20 MiB",
    type: "text/html; charset=utf-8",
    ending: ".html",
  },
  json: {
    title: "JSON",
    use: "meta.json",
    type: JSON_TYPE,
    ending: ".json",
  },
  junit: {
    title: "JUnit",
    use: "verdicts, for CI servers",
    more: "what `bench run --junit` writes",
    type: "application/xml; charset=utf-8",
    ending: ".xml",
    suffix: ".junit.xml",
  },
  md: {
    title: "Markdown",
    use: "the summary, for a pull request",
    more: "what `bench run --report-md` writes",
    type: "text/markdown; charset=utf-8",
    ending: ".md",
  },
  csv: {
    title: "CSV",
    use: "the time series, a row a second",
    more:
      "units in the names, empty cells where nothing is known (RFC 4180); last, for each step, its attempts by outcome (`login.attempts_failed`)",
    type: "text/csv; charset=utf-8",
    ending: ".csv",
    at: ["series"],
  },
  har: {
    title: "HAR",
    use: "every kept exchange, for browsers' network tools",
    more: "HAR 1.2: an iteration is a page, its exchanges are the entries",
    type: JSON_TYPE,
    ending: ".har",
    at: ["trace"],
  },
  speedscope: {
    title: "speedscope",
    use: "kept traces as profiles",
    more: "all added up, then each on its own (the 500 slowest)",
    type: JSON_TYPE,
    ending: ".speedscope.json",
    at: ["trace", "flame"],
  },
  "trace-events": {
    title: "Trace events",
    use: "kept traces on a timeline, for Perfetto",
    more:
      "a thread a VU, with the series as counters; chrome://tracing opens it too",
    type: JSON_TYPE,
    ending: ".trace-events.json",
    at: ["trace", "flame", "series"],
  },
  otlp: {
    title: "OTLP",
    use: "kept traces, for tracing backends",
    more: "OTLP/JSON: an iteration is a trace, with its ids",
    type: JSON_TYPE,
    ending: ".otlp.json",
    at: ["trace"],
  },
} as const satisfies Readonly<Record<string, RunFormat>>;

/** The name of a form. */
export type Format = keyof typeof FORMATS;

/** Every form with its name. */
export const NAMED_FORMATS: readonly (readonly [Format, RunFormat])[] = Object
  .entries(FORMATS) as [Format, RunFormat][];
