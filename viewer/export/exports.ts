import { renderJunit } from "../../lib/results/formats/junit.ts";
import { renderMarkdown } from "../../lib/results/formats/markdown.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import type { Format } from "../model/formats.ts";
import { maybeWithoutBodies } from "../model/exchange.ts";
import type { ComparedRun } from "../page/comparison_blocks.tsx";
import { reportHtml } from "../page/report_page.tsx";
import type { Part, RunDirectory } from "../store/run_directory.ts";
import { chosenTraces, flameOf } from "../store/run_facts.ts";
import { csvOf } from "./csv.ts";
import { har } from "./har.ts";
import { otlp } from "./otlp.ts";
import { MOST_PROFILES, speedscope } from "./speedscope.ts";
import { traceEvents } from "./trace_events.ts";

/** Options of an export. */
interface ExportOptions {
  /** Which traces, as the list of traces is asked. */
  readonly query: URLSearchParams;
  /** Off to leave out what was sent and received. */
  readonly payloads: boolean;
  /** A run to compare with, in a report. */
  readonly baseline?: ComparedRun;
}

/** Text that is made while it is read. */
type Pieces = Iterable<string> | AsyncIterable<string>;

/** Nothing when the run has not got what the form is made of. */
type Make = (
  meta: RunMeta,
  run: RunDirectory,
  options: ExportOptions,
) => Promise<Part<Pieces>> | Part<Pieces>;

/**
 * The maker of each form. All are made of what is stored, which is redacted, and
 * of nothing else: the same run gives the same bytes.
 */
export const EXPORTS: Readonly<Record<Format, Make>> = {
  html: async (meta, run, options) => ({
    value: [await reportHtml(meta, run, options)],
  }),
  json: (meta) => ({ value: [metaText(meta)] }),
  junit: async (meta, run) => {
    const { value, error } = await run.rows(meta);
    return error === undefined
      ? { value: [renderJunit(meta, value)] }
      : { error };
  },
  // Its id, and not where the store happens to lie.
  md: (meta) => ({ value: [renderMarkdown(meta, meta.id)] }),
  csv: csvPart,
  har: ofTraces((meta, { entries, traces }, { payloads }) =>
    har(meta, { entries, traces: maybeWithoutBodies(traces, payloads) })
  ),
  speedscope: speedscopePart,
  "trace-events": traceEventsPart,
  otlp: ofTraces((meta, { traces }) => otlp(meta, traces)),
};

/** A form that is made of the chosen traces alone. */
function ofTraces(
  write: (
    meta: RunMeta,
    chosen: {
      readonly entries: readonly TraceEntry[];
      readonly traces: AsyncIterable<Trace>;
    },
    options: ExportOptions,
  ) => Pieces,
): Make {
  return async (meta, run, options) => {
    const { value, error } = await chosenTraces(run, options.query);
    if (!value) return { error };
    const { entries } = value;
    return {
      value: write(meta, { entries, traces: run.traces(entries) }, options),
    };
  };
}

async function csvPart(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Part<Pieces>> {
  const [series, agent] = await Promise.all([run.series(), run.agent()]);
  const error = series.error ?? agent.error;
  if (error !== undefined) return { error };
  if (!series.value) return {};
  const startedAt = Date.parse(meta.started_at);
  const ids = meta.steps.map(({ id }) => id);
  return { value: csvOf(series.value, agent.value ?? [], startedAt, ids) };
}

async function speedscopePart(
  meta: RunMeta,
  run: RunDirectory,
  { query }: ExportOptions,
): Promise<Part<Pieces>> {
  const { value, error } = await chosenTraces(run, query);
  if (!value) return { error };
  const { entries } = value;
  const { value: flame, error: broken } = await flameOf(run, value);
  if (!flame) return { error: broken ?? "" };
  // The slowest are worth a look of their own; they stay in the order of time.
  const slowest = new Set(
    entries.toSorted((a, b) => b.duration_us - a.duration_us)
      .slice(0, MOST_PROFILES),
  );
  const single = entries.filter((entry) => slowest.has(entry));
  return { value: speedscope(meta, { flame, traces: run.traces(single) }) };
}

async function traceEventsPart(
  meta: RunMeta,
  run: RunDirectory,
  { query }: ExportOptions,
): Promise<Part<Pieces>> {
  const [chosen, series, agent] = await Promise.all([
    chosenTraces(run, query),
    run.series(),
    run.agent(),
  ]);
  const error = chosen.error ?? series.error ?? agent.error;
  if (error !== undefined) return { error };
  const { entries, all } = chosen.value!;
  return {
    value: traceEvents(meta, {
      entries,
      traces: run.traces(entries),
      points: all ? series.value ?? [] : [],
      agent: all ? agent.value ?? [] : [],
    }),
  };
}

/** Characters that are written at a time. */
const BLOCK = 64 * 1024;

/** Puts small pieces of text together, so that writing them costs little. */
export async function* inBlocks(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    held += piece;
    if (held.length < BLOCK) continue;
    yield held;
    held = "";
  }
  if (held !== "") yield held;
}
