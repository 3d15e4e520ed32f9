import {
  countText,
  latencyText,
  rowText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { coordinate } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import type { TraceNote } from "../model/trace_digest.ts";
import { vuNumber } from "../model/words.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { RunDirectory } from "../store/run_directory.ts";
import { NoTraces, OutcomeSign, Unreadable } from "./parts.tsx";
import { runPath, tracePath } from "./page_request.ts";

/**
 * Traces one a row; with `notes` also what went wrong in them.
 *
 * @param filter what a trace's page goes on with, to the next of these traces
 */
export function traceTable(
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
        ...columns(meta, longest, filter),
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

function columns(
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
      narrow: "line",
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
    figure("exchanges", (entry) => of(entry)?.attempts),
    { title: "status", cell: (entry) => of(entry)?.statuses.join(", ") },
    {
      title: "did not pass",
      narrow: "line",
      tone: () => "message",
      cell: (entry) => {
        const { bad = [], message } = of(entry) ?? {};
        const steps = bad.map((each) => each.step).join(", ");
        return message === undefined ? steps : (
          <>
            {steps} <span class="more">{message}</span>
          </>
        );
      },
    },
  ];
}
