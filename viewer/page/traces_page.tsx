import { OUTCOME_NAMES } from "../../lib/model/outcome.ts";
import {
  countText,
  latencyText,
  plural,
  rowText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { stepIds } from "../store/run_facts.ts";
import {
  readTraceQuery,
  selectTraces,
  type TraceNote,
  unusableFields,
} from "../model/traces.ts";
import { exportLinks } from "./run_heading.tsx";
import {
  IgnoredFields,
  NoTraceFits,
  NoTraces,
  OutcomeSign,
  Select,
  Unreadable,
  withCode,
} from "./parts.tsx";
import { onceTraces } from "./once_view.tsx";
import {
  listFilter,
  type PageResponse,
  runPath,
  type RunRequest,
  traceFilter,
  tracePath,
  withFilter,
  withQuery,
} from "./page_request.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { coordinate } from "../chart/frame.tsx";
import { vuNumber } from "../model/words.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { RunDirectory } from "../store/run_directory.ts";

const LOST =
  "The trace that this page would begin after is not one of these: the list is shown from its beginning.";

/** The kept traces of a run, filtered. */
export async function tracesPage(
  { url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const query = readTraceQuery(url.searchParams);
  const [entries, digest, facts, ids] = await Promise.all([
    run.entries(),
    run.digest(),
    run.traceFacts(),
    stepIds(meta, run),
  ]);
  const error = entries.error ?? digest.error;
  const all = entries.value ?? [];
  const found = selectTraces(all, digest.value?.notes, query);
  return {
    title: `Traces of ${meta.flow}`,
    run: { id: meta.id, tab: "traces", live: meta.status === "running" },
    body: (
      <>
        <h1>Traces</h1>
        {onceTraces(meta)}
        {error !== undefined && <Unreadable error={error} />}
        {all.length === 0
          ? error === undefined &&
            <NoTraces meta={meta} />
          : (
            <>
              <p class="note">
                {plural(all.length, "trace")} of {plural(
                  Math.max(meta.iterations.started, all.length),
                  "iteration",
                )} {all.length === 1 ? "was" : "were"} kept.{" "}
                {facts?.policy === "sampled"
                  ? "A load run keeps failures spread over their causes, the slowest iterations, one for each cell of the heat map, and a sample of the rest."
                  : "This run keeps every iteration."}
                {facts?.truncated && meta.status !== "running" &&
                  " Some that should be here were left out."}
              </p>
              {filterForm(url, ids, meta)}
              <IgnoredFields of={unusableFields(url.searchParams)} />
              {found.isLost && <p class="note">{LOST}</p>}
              <p>
                {plural(found.total, "trace")}{" "}
                {found.total === 1 ? "fits" : "fit"}
                {found.total > found.entries.length &&
                  `; ${countText(found.entries.length)} are shown`}.
              </p>
              {found.total > 0 && exportLinks(
                meta.id,
                "trace",
                traceFilter(url),
                (<>
                  , or{" "}
                  <a
                    href={withFilter(
                      runPath(meta.id, "/flame"),
                      traceFilter(url),
                    )}
                  >
                    see where their time went
                  </a>
                </>),
              )}
              {found.entries.length === 0
                ? <NoTraceFits all={runPath(meta.id, "/traces")} />
                : traceTable(
                  meta,
                  found.entries,
                  digest.value?.notes,
                  listFilter(url),
                )}
              {found.next !== undefined &&
                (
                  <p class="pager">
                    <a href={withQuery(url, { cursor: found.next })}>
                      next {countText(query.limit)}
                    </a>
                  </p>
                )}
            </>
          )}
      </>
    ),
  };
}

function filterForm(url: URL, ids: readonly string[], meta: RunMeta): Markup {
  const now = (name: string) => url.searchParams.get(name) ?? "";
  const number = (name: string, title: string, min = "0") => (
    <label>
      {title}{" "}
      <input
        name={name}
        type="number"
        min={min}
        step="any"
        value={now(name)}
      />
    </label>
  );
  return (
    <form
      class="filter"
      action={runPath(meta.id, "/traces")}
      method="get"
      role="search"
    >
      <Select
        name="outcome"
        id="outcome"
        options={[
          ["", "any"],
          ...OUTCOME_NAMES.map((each) => [each, each] as const),
        ]}
        chosen={now("outcome")}
      />{" "}
      <Select
        name="step"
        options={[["", "any"], ...ids.map((id) => [id, id] as const)]}
        chosen={now("step")}
      />{" "}
      {number("status", "status")}
      {number("min", "from ms")}
      {number("max", "to ms")}
      {number("t0", "after s")}
      {number("t1", "before s")}
      {number("vu", "VU", "1")}
      <label>
        text{" "}
        <input
          name="q"
          type="search"
          id="q"
          value={now("q")}
        />
      </label>{" "}
      <Select
        name="sort"
        title="order"
        options={[
          ["", "time"],
          ["-duration", "slowest first"],
          ["duration", "fastest first"],
        ]}
        chosen={now("sort")}
      />{" "}
      <button type="submit">Apply</button>
    </form>
  );
}

/**
 * Traces one a row; with `notes` also what went wrong in them.
 *
 * @param filter what a trace's page goes on with, to the next of these traces
 */
function traceTable(
  meta: RunMeta,
  entries: readonly TraceEntry[],
  notes: ReadonlyMap<string, TraceNote> | undefined,
  filter: URLSearchParams = new URLSearchParams(),
): Markup {
  const longest = entries.reduce((max, e) => Math.max(max, e.duration_us), 1);
  const rows = entries.some((entry) => entry.row !== null);
  return (
    <DataTable
      columns={[
        ...traceColumns(meta, longest, filter),
        ...(rows ? [rowColumn(meta, notes)] : []),
        ...(notes ? noteColumns(notes) : []),
      ]}
      rows={entries}
      label="Traces"
    />
  );
}

/** The five slowest traces that were kept. */
export async function slowestTraces(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup> {
  const { value, error } = await run.entries();
  if (error !== undefined) return <Unreadable error={error} />;
  if (!value || value.length === 0) {
    return <NoTraces meta={meta} />;
  }
  const slowest = value.toSorted((a, b) => b.duration_us - a.duration_us)
    .slice(0, 5);
  return (
    <>
      {traceTable(
        meta,
        slowest,
        undefined,
        new URLSearchParams({ sort: "-duration" }),
      )}
      <p>
        <a href={runPath(meta.id, "/traces?sort=-duration")}>All traces</a>
      </p>
    </>
  );
}

function traceColumns(
  meta: RunMeta,
  longest: number,
  filter: URLSearchParams,
): Column<TraceEntry>[] {
  return [
    {
      title: "outcome",
      narrow: "lead",
      cell: ({ outcome }) => <OutcomeSign outcome={outcome} />,
    },
    naming(
      "iteration",
      ({ trace_id, iteration }) => (
        <a class="row" href={tracePath(meta.id, trace_id, filter)}>
          iteration {countText(iteration + 1)}
        </a>
      ),
    ),
    figure("at", ({ start_us }) => latencyText(start_us / 1_000)),
    figure("duration", ({ duration_us }) => latencyText(duration_us / 1_000)),
    {
      title: <span class="hidden">bar</span>,
      narrow: "never",
      cell: ({ outcome, duration_us }) => (
        <svg
          class="bar"
          viewBox="0 0 100 8"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path
            class={outcome}
            fill="#0072B2"
            d={`M0 1H${coordinate(duration_us / longest * 100)}V7H0z`}
          />
        </svg>
      ),
    },
    figure("VU", ({ vu }) => vuNumber(vu)),
  ];
}

/** Rows are called by the values of their fixture, where these are known. */
function rowColumn(
  { rows = [] }: RunMeta,
  notes: ReadonlyMap<string, TraceNote> | undefined,
): Column<TraceEntry> {
  const names = new Map(rows.map((each) => [each.trace_id, each.row_name]));
  return {
    title: "row",
    cell: ({ row, trace_id }) =>
      row === null
        ? "–"
        : rowText(row, notes?.get(trace_id)?.rowName ?? names.get(trace_id)),
  };
}

function noteColumns(
  notes: ReadonlyMap<string, TraceNote>,
): Column<TraceEntry>[] {
  const of = ({ trace_id }: TraceEntry) => notes.get(trace_id);
  return [
    figure("exchanges", (entry) => of(entry)?.attempts, { narrow: "never" }),
    { title: "status", cell: (entry) => of(entry)?.statuses.join(", ") },
    {
      title: "did not pass",
      narrow: "line",
      sparse: true,
      tone: () => "message",
      cell: (entry) => {
        const { bad = [], message } = of(entry) ?? {};
        const steps = bad.map((each) => each.step).join(", ");
        return message === undefined ? steps : (
          <>
            {steps} <span class="more">{withCode(message)}</span>
          </>
        );
      },
    },
  ];
}
