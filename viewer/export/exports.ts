import { renderJunit } from "../../lib/results/formats/junit.ts";
import { renderMarkdown } from "../../lib/results/formats/markdown.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import type { Format } from "../model/formats.ts";
import { maybeWithoutBodies } from "../model/exchange.ts";
import type { ComparedRun } from "../page/comparison_blocks.tsx";
import { reportHtml } from "../page/report_page.tsx";
import { type RunDirectory, valueOf } from "../store/run_directory.ts";
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

/**
 * Nothing when the run has not got what the form is made of.
 *
 * @throws {StoreError} when that cannot be read
 */
type Make = (
  meta: RunMeta,
  run: RunDirectory,
  options: ExportOptions,
) => Promise<Pieces | undefined> | Pieces;

/**
 * The maker of each form. All are made of what is stored, which is redacted, and
 * of nothing else: the same run gives the same bytes.
 */
export const EXPORTS: Readonly<Record<Format, Make>> = {
  html: async (meta, run, options) => [await reportHtml(meta, run, options)],
  json: (meta) => [metaText(meta)],
  junit: async (meta, run) => [
    renderJunit(meta, valueOf(await run.rows(meta))),
  ],
  // Its id, and not where the store happens to be.
  md: (meta) => [renderMarkdown(meta, meta.id)],
  csv: async (meta, run) => {
    const points = valueOf(await run.series());
    const agent = valueOf(await run.agent()) ?? [];
    const startedAt = Date.parse(meta.started_at);
    const ids = meta.steps.map(({ id }) => id);
    return points && csvOf(points, agent, startedAt, ids);
  },
  har: async (meta, run, { query, payloads }) => {
    const { withOnce: entries } = await chosenTraces(run, query);
    const traces = maybeWithoutBodies(run.traces(entries), payloads);
    return har(meta, { entries, traces });
  },
  speedscope: async (meta, run, { query }) => {
    const chosen = await chosenTraces(run, query);
    const flame = await flameOf(run, chosen);
    // The slowest are worth a look of their own; they stay in the order of time.
    const slowest = new Set(
      chosen.entries.toSorted((a, b) => b.duration_us - a.duration_us)
        .slice(0, MOST_PROFILES),
    );
    const single = chosen.withOnce.filter((entry) =>
      slowest.has(entry) || entry.once !== null
    );
    return speedscope(meta, { flame, traces: run.traces(single) });
  },
  "trace-events": async (meta, run, { query }) => {
    const { withOnce: entries, all } = await chosenTraces(run, query);
    const points = valueOf(await run.series()) ?? [];
    const agent = valueOf(await run.agent()) ?? [];
    return traceEvents(meta, {
      entries,
      traces: run.traces(entries),
      points: all ? points : [],
      agent: all ? agent : [],
    });
  },
  otlp: async (meta, run, { query }) => {
    const { withOnce: entries } = await chosenTraces(run, query);
    return otlp(meta, run.traces(entries));
  },
};

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
