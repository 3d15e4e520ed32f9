import * as v from "valibot";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { Environment } from "../../lib/compile.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { withMessages } from "../../lib/model/result/trace.ts";
import { renderSummary } from "../../lib/results/formats/text.ts";
import { ofStored } from "../../lib/results/store/layout.ts";
import { readMeta } from "../../lib/results/store/reader.ts";
import { readTraceIndex } from "../../lib/results/store/trace_reader.ts";
import { tracedIteration } from "../judge/replay.ts";
import { LISTED, STORE } from "../options/shared_options.ts";
import { runOfStore, storeDirectory, storedRuns } from "../options/store.ts";
import { environmentOf } from "./inputs.ts";
import { method, said, storedRun, surroundings } from "./method.ts";

/** Columns of the summary where no terminal says how many. */
const SUMMARY_WIDTH = 100;

/** The stored runs, newest first. */
export const runs = method(
  "list the stored runs, the newest first: id, flow, target, mode, verdict, the main figures",
  surroundings,
  LISTED,
  async ({ flags, ...rest }, call) => {
    const storeDir = storeDirectory(flags.store, environmentOf(rest, call).env);
    return await storedRuns(storeDir, flags);
  },
);

/** Traces that are listed of one run. */
const MOST_TRACES = 50;

/** One stored run as `bench run` prints it, and the traces it kept. */
export const report = method(
  "read one stored run: its summary, its figures, and the traces it kept",
  { ...surroundings, run: storedRun },
  STORE,
  ({ flags, run, ...rest }, call) =>
    ofStored(async () => {
      const directory = runDirectory(run, flags, environmentOf(rest, call));
      const meta = await readMeta(directory, systemClock.wall());
      const index = await readTraceIndex(directory);
      // Those that did not pass are looked for first.
      const traces = [
        ...index.filter(({ outcome }) => outcome !== "passed"),
        ...index.filter(({ outcome }) => outcome === "passed"),
      ];
      return {
        ...{ meta, directory },
        summary: summaryOf(meta, directory),
        traces: traces.slice(0, MOST_TRACES).map((
          { trace_id, iteration, row, outcome, duration_us },
        ) => ({ trace_id, iteration, row, outcome, duration_us })),
        other_traces: Math.max(0, traces.length - MOST_TRACES),
      };
    }),
);

/** As `bench run` prints it. */
export function summaryOf(
  meta: RunMeta,
  runDir: string | undefined,
  sources: ReadonlyMap<string, string> = new Map(),
): string {
  return renderSummary(meta, {
    ...{ color: false, width: SUMMARY_WIDTH, sources },
    ...(runDir !== undefined && { runDir }),
  });
}

function runDirectory(
  run: string,
  { store }: { readonly store?: string },
  { env }: Environment,
): string {
  return runOfStore(run, storeDirectory(store, env));
}

/** One stored iteration with its requests and responses. */
export const trace = method(
  "read one iteration of a stored run, with every request and response",
  {
    ...surroundings,
    run: storedRun,
    trace: v.exactOptional(
      said(
        v.string(),
        "the beginning of its id; the first that did not pass when absent",
      ),
    ),
    body: v.optional(
      said(
        v.pipe(v.number(), v.integer(), v.minValue(0)),
        "so many characters of each body",
      ),
      4_000,
    ),
  },
  STORE,
  ({ flags, run, trace, body: most, ...rest }, call) =>
    ofStored(async () => {
      const directory = runDirectory(run, flags, environmentOf(rest, call));
      const meta = await readMeta(directory, systemClock.wall());
      const found = await tracedIteration(directory, meta, trace);
      const spans = withMessages(found.spans, ({ body, ...message }) =>
        body === undefined || body.length <= most
          ? { ...message, ...(body !== undefined && { body }) }
          : {
            ...message,
            // Four characters of base64 belong together; half a surrogate pair is none.
            body: message.body_encoding
              ? body.slice(0, most - most % 4)
              : body.slice(0, most).replace(/[\ud800-\udbff]$/, ""),
            body_truncated: true,
          });
      return { run: meta.id, trace: { ...found, spans } };
    }),
);
