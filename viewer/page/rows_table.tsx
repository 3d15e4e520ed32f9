import {
  countText,
  latencyText,
  plural,
  rowName,
} from "../../lib/results/report/figures.ts";
import type { RowSummary, RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import { OutcomeSign } from "./signs.tsx";
import { runPath } from "./page_request.ts";

/** Iterations one by one, those that did not pass first. */
export function rowsTable(meta: RunMeta, link = true): Markup | undefined {
  const { rows } = meta;
  if (!rows || rows.length === 0) return;
  const bad = rows.filter((row) => row.outcome !== "passed");
  const good = rows.filter((row) => row.outcome === "passed");
  return (
    <>
      <DataTable
        columns={columns(meta, link)}
        rows={[...bad, ...good]}
        label="Rows"
      />
      {(meta.other_rows ?? 0) > 0 &&
        <p class="note">and {countText(meta.other_rows!)} more rows</p>}
    </>
  );
}

function columns(meta: RunMeta, link: boolean): Column<RowSummary>[] {
  return [
    {
      title: "outcome",
      narrow: "lead",
      cell: ({ outcome }) => <OutcomeSign outcome={outcome} />,
    },
    {
      title: "row",
      kind: "head",
      narrow: "lead",
      cell: (row) =>
        link && row.trace_id !== undefined
          ? (
            <a class="row" href={runPath(meta.id, `/traces/${row.trace_id}`)}>
              {rowName(row)}
            </a>
          )
          : rowName(row),
    },
    {
      title: "duration",
      kind: "number",
      cell: ({ duration_ms }) => latencyText(duration_ms),
    },
    { title: "failed at", cell: ({ failures }) => failures[0]?.step },
    { title: "why", narrow: "line", tone: () => "message", cell: why },
  ];
}

/** Everything that is wrong with a row; its first step is named beside it. */
function why(
  { failures, other_failures: others = 0 }: RowSummary,
): Markup[] {
  return [
    ...failures.map(({ step, message }) => (
      <div>{step !== failures[0]!.step && `${step}: `}{message}</div>
    )),
    ...(others === 0
      ? []
      : [(<div>and {plural(others, "more failure")}</div>)]),
  ];
}
