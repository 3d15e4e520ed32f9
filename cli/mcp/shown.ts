import type { JsonObject } from "../../lib/base/values/json.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import { renderComparison } from "../../lib/results/formats/comparison_report.ts";

/** A result as an agent reads it. */
export interface Shown {
  readonly text: string;
  /** The part of it that a program needs. */
  readonly data: JsonObject;
}

/** Failures that are given as data; the text has them too. */
const MOST_FAILURES = 20;

/** Methods of `bench rpc` that are tools, and how their results read. */
export const SHOWN = {
  validate: diagnosed(() => "no errors and no warnings"),
  plan: diagnosed(({ plan }: { readonly plan: object }) =>
    JSON.stringify(plan, undefined, 1)
  ),
  run: ({ meta, summary }: RunResult) => ofRun(meta, summary),
  runs: json,
  report: (
    { meta, summary, traces, other_traces }: RunResult & {
      readonly traces: JsonObject[];
      readonly other_traces: number;
    },
  ) => {
    const { text, data } = ofRun(meta, summary);
    const lines = traces.map((each) => JSON.stringify(each));
    const kept = lines.length === 0
      ? "It kept no trace."
      : `Traces, for \`trace\`:\n${lines.join("\n")}`;
    return {
      text: `${text}\n${kept}`,
      data: { ...data, traces, other_traces },
    };
  },
  trace: json,
  compare: (comparison: RunComparison) => ({
    text: renderComparison(comparison, { color: false, width: 100 }),
    data: comparison as unknown as JsonObject,
  }),
  import: (
    { files, variables, notes }: {
      readonly files: readonly {
        readonly path: string;
        readonly text: string;
      }[];
      readonly variables: readonly string[];
      readonly notes: readonly string[];
    },
  ) => ({
    text: [
      "Nothing is written yet: these are the files.",
      ...files.map(({ path, text }) => `=== ${path}\n${text}`),
      ...notes.map((each) => `note: ${each}`),
    ].join("\n"),
    data: { files, variables, notes } as unknown as JsonObject,
  }),
} satisfies Record<string, (result: never) => Shown>;

interface RunResult {
  readonly meta: RunMeta;
  readonly summary: string;
}

interface Diagnosed {
  readonly diagnostics: readonly object[];
  readonly text: string;
}

/** @param sound the text when nothing is wrong, and before warnings */
function diagnosed<Result>(sound: (result: Result) => string) {
  return (result: Result & Diagnosed): Shown => {
    const { diagnostics, text, ...rest } = result as Diagnosed & JsonObject;
    const wrong = diagnostics.some((each) =>
      (each as { severity?: unknown }).severity === "error"
    );
    return {
      text: wrong ? text : [sound(result), text].filter(Boolean).join("\n\n"),
      data: { ...rest, diagnostics: diagnostics as JsonObject[] },
    };
  };
}

function json(data: JsonObject): Shown {
  return { text: JSON.stringify(data, undefined, 1), data };
}

/** A client may show the data alone: it says why a run did not pass, as the summary does. */
function ofRun(meta: RunMeta, summary: string): Shown {
  const { id, status, verdict, exit_code, failures, iterations } = meta;
  const { reason, error_rate, throttle_rate, latency, notes } = meta;
  const samples = meta.latency_intervals?.samples;
  const thresholds = meta.thresholds.map(({ expression, actual, pass }) => ({
    ...{ expression, actual, pass },
  }));
  const shown = failures.slice(0, MOST_FAILURES).map((
    { step, outcome, code, message, count, file, line, column, trace_id },
  ) => ({ step, outcome, code, message, count, file, line, column, trace_id }));
  return {
    text: `${summary.trimEnd()}\n\nrun ${id}`,
    data: {
      ...{ run: id, status, verdict, exit_code },
      ...(reason && { reason: reason.text }),
      ...{ iterations, error_rate, throttle_rate, latency },
      ...(samples !== undefined && { samples }),
      ...{ thresholds, notes },
      failures: shown,
    } as unknown as JsonObject,
  };
}
