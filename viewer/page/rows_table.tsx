import {
  countText,
  latencyText,
  plural,
  rowName,
} from "../../lib/results/report/figures.ts";
import type { RowSummary, RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { listPage } from "../model/run_list.ts";
import { OutcomeSign, Pager } from "./parts.tsx";
import { numberOf, tracePath, withQuery } from "./page_request.ts";

/** Rows on a page. */
const PAGE = 200;

/**
 * Iterations one by one, those that did not pass first, a page at a time.
 *
 * @param address of the page they are on; absent in a report file
 */
export function rowsTable(
  meta: RunMeta,
  rows: readonly RowSummary[],
  address: URL | undefined,
): Markup | undefined {
  if (rows.length === 0) return;
  const bad = rows.filter((row) => row.outcome !== "passed");
  const good = rows.filter((row) => row.outcome === "passed");
  const { page, pages, shown } = listPage(
    [...bad, ...good],
    address && numberOf(address, "rows"),
    PAGE,
  );
  const known = (meta.rows ?? []).length + (meta.other_rows ?? 0);
  const beyond = address
    ? known - rows.length
    : known - Math.min(PAGE, rows.length);
  return (
    <>
      {rows.length > PAGE && (
        <p class="note">
          {countText(bad.length)} did not pass, {countText(good.length)} passed.
        </p>
      )}
      <DataTable
        columns={columns(meta, address !== undefined)}
        rows={shown}
        label="Rows"
      />
      {address && (
        <Pager
          label="Pages of rows"
          page={page}
          pages={pages}
          words={["previous", "next"]}
          address={(at) => `${withQuery(address, { rows: String(at) })}#rows`}
        />
      )}
      {beyond > 0 && <p class="note">and {countText(beyond)} more rows</p>}
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
    naming(
      "row",
      (row) =>
        link && row.trace_id !== undefined
          ? (
            <a class="row" href={tracePath(meta.id, row.trace_id)}>
              {rowName(row)}
            </a>
          )
          : rowName(row),
    ),
    figure("duration", ({ duration_ms }) => latencyText(duration_ms)),
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
    ...others === 0 ? [] : [<div>and {plural(others, "more failure")}</div>],
  ];
}
