/** Where the traces or the series of a run are shown, and can be had. */
export type ShownAt = "trace" | "flame" | "series";

/** A form that a stored run can be taken away in. */
interface RunFormat {
  readonly title: string;
  /** What it is for. */
  readonly use: string;
  readonly type: string;
  /** What tells it by the name of a file. */
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
    type: "application/xml; charset=utf-8",
    ending: ".xml",
    suffix: ".junit.xml",
  },
  md: {
    title: "Markdown",
    use: "the summary, for a pull request",
    type: "text/markdown; charset=utf-8",
    ending: ".md",
  },
  csv: {
    title: "CSV",
    use: "the time series, a row a second",
    type: "text/csv; charset=utf-8",
    ending: ".csv",
    at: ["series"],
  },
  har: {
    title: "HAR",
    use: "every kept exchange, for browsers' network tools",
    type: JSON_TYPE,
    ending: ".har",
    at: ["trace"],
  },
  speedscope: {
    title: "speedscope",
    use: "kept traces as profiles",
    type: JSON_TYPE,
    ending: ".speedscope.json",
    at: ["trace", "flame"],
  },
  "trace-events": {
    title: "Trace events",
    use: "kept traces on a timeline, for Perfetto",
    type: JSON_TYPE,
    ending: ".trace-events.json",
    at: ["trace", "flame", "series"],
  },
  otlp: {
    title: "OTLP",
    use: "kept traces, for tracing backends",
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
