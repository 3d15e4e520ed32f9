import {
  countText,
  latencyText,
  rowText,
  traceName,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  exchangeOf,
  type TraceFailure,
  traceFailures,
} from "../model/failures.ts";
import { readTraceQuery, selectTraces } from "../model/traces.ts";
import { vuNumber } from "../model/words.ts";
import { stepIds } from "../store/run_facts.ts";
import { partOf, waterfallOf } from "../model/waterfall.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { exportLinks } from "./run_heading.tsx";
import {
  Block,
  difference,
  Location,
  OutcomeSign,
  Unreadable,
  withCode,
} from "./parts.tsx";
import {
  listFilter,
  numberOf,
  type PageResponse,
  runPath,
  type RunRequest,
  tracePath,
  withFilter,
  withQuery,
} from "./page_request.ts";
import { waterfallView } from "./waterfall_view.tsx";

/** One iteration, from its first step to its last byte. */
export async function tracePage(
  { params, url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const id = params.trace!;
  const tab = { id: meta.id, tab: "traces", live: false } as const;
  const { value: trace, error } = await run.trace(id);
  if (error !== undefined) {
    return {
      status: 500,
      title: "Trace",
      run: tab,
      body: <Unreadable error={error} />,
    };
  }
  if (!trace) {
    return {
      status: 404,
      title: "No such trace",
      run: tab,
      body: (
        <>
          <h1>No such trace</h1>
          <p>
            This run kept no trace <code>{id}</code>.{" "}
            <a href={runPath(meta.id, "/traces")}>All traces</a>
          </p>
        </>
      ),
    };
  }
  const ids = await stepIds(meta, run);
  const rows = waterfallOf(trace);
  const failures = traceFailures(meta, trace, rows);
  // The exchange whose checks did not hold.
  const shows = failures[0] && exchangeOf(trace, failures[0].step);
  const open = new Set([
    ...failures.map(({ number }) => number),
    ...rows.filter(({ span }) => span === shows).map(({ number }) => number),
  ]);
  const part = partOf(rows, numberOf(url, "span"));
  const address = (span: number) =>
    `${withQuery(url, { span: String(span) })}#span-${span}`;
  const href = (span: number) =>
    part.rows.some(({ number }) => number === span)
      ? `#span-${span}`
      : address(span);
  return {
    title: `${capitalized(traceName(trace))} of ${meta.flow}`,
    run: tab,
    body: (
      <>
        {traceHeading(trace)}
        {failureList(failures, href)}
        {await neighbours(meta, run, id, listFilter(url))}
        <Block id="waterfall" title="Waterfall">
          {waterfallView(trace, rows, { ids, open, part, address })}
          {exportLinks(
            meta.id,
            "trace",
            new URLSearchParams({ trace: id }),
          )}
        </Block>
      </>
    ),
  };
}

/** The failures of an iteration, its cause first, each with a link to its span. */
function failureList(
  failures: readonly TraceFailure[],
  href: (span: number) => string,
): Markup[] {
  return failures.map(({ step, outcome, failure, number, at }) => (
    <div class={`cause ${outcome}`}>
      <p>
        <strong>{step}</strong> <code>{failure.code}</code> <Location of={at} />
        {" "}
        <span class="message">{withCode(failure.message)}</span>{" "}
        <a href={href(number)}>show it</a>
      </p>
      {difference(failure)}
    </div>
  ));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The iteration of a trace: outcome, times, VU and row. */
export function traceHeading(trace: Trace): Markup {
  return (
    <>
      <h1>
        {capitalized(traceName(trace))} <OutcomeSign outcome={trace.outcome} />
      </h1>
      <p class="where">
        <span>
          took {latencyText(trace.duration_us / 1_000)}
        </span>{" "}
        <span>
          began at {latencyText(trace.start_us / 1_000)}
        </span>{" "}
        <span>VU {vuNumber(trace.vu)}</span>{" "}
        {trace.row !== undefined && (
          <span>{rowText(trace.row, trace.row_name)}</span>
        )}
        <span>
          trace <code>{trace.trace_id}</code>
        </span>
      </p>
      {trace.values && (
        <p class="where">
          {trace.values.map(({ name, value }) => (
            <span>
              {name} <code>{value}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** The traces before and after it in the list it was found in. */
async function neighbours(
  meta: RunMeta,
  run: RunDirectory,
  id: string,
  filter: URLSearchParams,
): Promise<Markup | undefined> {
  const all = await tracesOfList(run, filter);
  const at = all.findIndex((entry) => entry.trace_id === id);
  if (at < 0) {
    // Someone changed the address: then its position is among all of them.
    // What is carried out once is in no list.
    return filter.size > 0
      ? neighbours(meta, run, id, new URLSearchParams())
      : undefined;
  }
  const to = (position: number, title: string, key: string) => {
    const entry = all[position];
    return entry
      ? (
        <a
          data-key={key}
          href={tracePath(meta.id, entry.trace_id, filter)}
        >
          {title}
        </a>
      )
      : <span class="off">{title}</span>;
  };
  return (
    <nav class="pager" aria-label="Traces">
      {to(at - 1, "previous", "[")}
      <span>
        {at + 1} of{" "}
        <a href={withFilter(runPath(meta.id, "/traces"), filter)}>
          {countText(all.length)}{" "}
          {filter.size > 0 ? "that fit" : "kept, by time"}
        </a>
      </span>
      {to(at + 1, "next", "]")}
    </nav>
  );
}

async function tracesOfList(
  run: RunDirectory,
  filter: URLSearchParams,
): Promise<readonly TraceEntry[]> {
  const [{ value: all = [] }, digest] = await Promise.all([
    run.entries(),
    filter.size > 0 ? run.digest() : undefined,
  ]);
  const query = { ...readTraceQuery(filter), limit: Infinity };
  return selectTraces(all, digest?.value?.notes, query).entries;
}
