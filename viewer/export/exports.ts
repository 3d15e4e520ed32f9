import { renderJunit } from "../../lib/results/formats/junit.ts";
import { renderMarkdown } from "../../lib/results/formats/markdown.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import { agentTimeline } from "../model/agent_timeline.ts";
import { maybeWithoutBodies } from "../model/without_bodies.ts";
import type { ComparedRun } from "../page/comparison_blocks.tsx";
import { reportHtml } from "../page/report_page.tsx";
import type { Part, RunDirectory } from "../store/run_directory.ts";
import { chosenTraces, flameOf } from "../store/chosen_traces.ts";
import { csvOf } from "./csv.ts";
import { har } from "./har.ts";
import { otlp } from "./otlp.ts";
import { MOST_PROFILES, speedscope } from "./speedscope.ts";
import { traceEvents } from "./trace_events.ts";

/** What an export is made for. */
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

/** One form that a run can be taken away in. */
interface Export {
  readonly type: string;
  /** How a file of it is called after the run's id. */
  readonly suffix: string;
  /** Nothing when the run has not got what it is made of. */
  make(
    meta: RunMeta,
    run: RunDirectory,
    options: ExportOptions,
  ): Promise<Part<Pieces>> | Part<Pieces>;
}

const JSON_TYPE = "application/json";

/**
 * Every form by its name. All are made of what is stored, which is redacted, and
 * of nothing else: the same run gives the same bytes.
 */
export const EXPORTS: Readonly<Record<string, Export>> = {
  html: {
    type: "text/html; charset=utf-8",
    suffix: ".html",
    make: async (meta, run, options) => ({
      value: [await reportHtml(meta, run, options)],
    }),
  },
  json: {
    type: JSON_TYPE,
    suffix: ".json",
    make: (meta) => ({ value: [metaText(meta)] }),
  },
  junit: {
    type: "application/xml; charset=utf-8",
    suffix: ".junit.xml",
    make: async (meta, run) => {
      const { value, error } = await run.rows(meta);
      return error === undefined
        ? { value: [renderJunit(meta, value)] }
        : { error };
    },
  },
  md: {
    type: "text/markdown; charset=utf-8",
    suffix: ".md",
    // Its id, and not where the store happens to lie.
    make: (meta) => ({ value: [renderMarkdown(meta, meta.id)] }),
  },
  csv: { type: "text/csv; charset=utf-8", suffix: ".csv", make: csvPart },
  har: { type: JSON_TYPE, suffix: ".har", make: harPart },
  speedscope: {
    type: JSON_TYPE,
    suffix: ".speedscope.json",
    make: speedscopePart,
  },
  "trace-events": {
    type: JSON_TYPE,
    suffix: ".trace-events.json",
    make: traceEventsPart,
  },
  otlp: { type: JSON_TYPE, suffix: ".otlp.json", make: otlpPart },
};

async function csvPart(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Part<Pieces>> {
  const [series, agent] = await Promise.all([run.series(), run.agent()]);
  const error = series.error ?? agent.error;
  if (error !== undefined) return { error };
  if (!series.value) return {};
  const startedAt = Date.parse(meta.started_at);
  const readings = agent.value ? agentTimeline(agent.value) : [];
  const ids = meta.steps.map(({ id }) => id);
  return { value: csvOf(series.value.points, readings, startedAt, ids) };
}

async function harPart(
  meta: RunMeta,
  run: RunDirectory,
  { query, payloads }: ExportOptions,
): Promise<Part<Pieces>> {
  const { value, error } = await chosenTraces(run, query);
  if (!value) return error === undefined ? {} : { error };
  const { entries } = value;
  return {
    value: har(meta, {
      entries,
      traces: maybeWithoutBodies(run.traces(entries), payloads),
    }),
  };
}

async function otlpPart(
  meta: RunMeta,
  run: RunDirectory,
  { query }: ExportOptions,
): Promise<Part<Pieces>> {
  const { value, error } = await chosenTraces(run, query);
  if (!value) return error === undefined ? {} : { error };
  return { value: otlp(meta, run.traces(value.entries)) };
}

async function speedscopePart(
  meta: RunMeta,
  run: RunDirectory,
  { query }: ExportOptions,
): Promise<Part<Pieces>> {
  const { value, error } = await chosenTraces(run, query);
  if (!value) return error === undefined ? {} : { error };
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
      points: all ? series.value?.points ?? [] : [],
      agent: all && agent.value ? agentTimeline(agent.value) : [],
    }),
  };
}
