import {
  countText,
  latencyText,
  plural,
  rowName,
} from "../../lib/results/report/figures.ts";
import type { RowSummary, RunMeta } from "../../lib/model/result/run.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { type Cause, causesOf, exchangeOf } from "../model/failures.ts";
import { exchangeGist, withoutBodies } from "../model/exchange.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import {
  difference,
  Location,
  OutcomeSign,
  Pager,
  withCode,
} from "./parts.tsx";
import { numberOf, runPath, tracePath, withQuery } from "./page_request.ts";
import { exchangeView } from "./exchange_view.tsx";
import type { BlockOptions } from "./run_clock.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { listPage } from "../model/run_list.ts";

/** Causes shown, and rows that are named of each. */
const MOST = 5;
const NAMED = 8;

/**
 * The causes of failure of a functional run: location, expected and actual, the
 * exchange that shows it, and further failures of the same iteration. Undefined
 * when everything passed.
 *
 * @param rows every one of the run
 */
export async function causesView(
  meta: RunMeta,
  run: RunDirectory,
  rows: readonly RowSummary[],
  { link, payloads = true }: Pick<BlockOptions, "link" | "payloads">,
): Promise<Markup | undefined> {
  const causes = causesOf(rows);
  if (causes.length === 0) return;
  const shown: Markup[] = [];
  for (const [index, cause] of causes.slice(0, MOST).entries()) {
    const exchange = await exchangeFor(cause, run, payloads);
    shown.push(causeView(meta, cause, exchange, { link, open: index === 0 }));
  }
  const more = causes.length - MOST;
  return (
    <>
      <ol class="groups">{shown}</ol>
      <p>
        {more > 0 && <>and {plural(more, "more cause")}.{" "}</>}
        {link && (
          <a href={runPath(meta.id, "/failures")}>All failures and throttles</a>
        )}
      </p>
    </>
  );
}

async function exchangeFor(
  { failure, rows }: Cause,
  run: RunDirectory,
  payloads: boolean,
): Promise<Span | undefined> {
  const id = rows[0]?.trace_id;
  const trace = id === undefined ? undefined : (await run.trace(id)).value;
  if (!trace) return;
  return exchangeOf(payloads ? trace : withoutBodies(trace), failure.step);
}

function causeView(
  meta: RunMeta,
  { failure, rows }: Cause,
  exchange: Span | undefined,
  { link, open }: { readonly link: boolean; readonly open: boolean },
): Markup {
  const kind = failure.outcome;
  const [first] = rows;
  const named = rows.slice(0, NAMED);
  return (
    <li class={`group ${kind}`}>
      <h3>
        <OutcomeSign outcome={kind}>{null}</OutcomeSign>
        <span class="step">{failure.step}</span> <Location of={failure} />
      </h3>
      <p class="message">{withCode(failure.message)}</p>
      {difference(failure)}
      <p class="where">
        {named.map((row) => <span>{rowLink(meta, row, link)}</span>)}{" "}
        {rows.length > NAMED && (
          <span>and {countText(rows.length - NAMED)} more</span>
        )}
      </p>
      {exchange && exchangePart(exchange, open)}
      {first && furtherFailures(first)}
    </li>
  );
}

function rowLink(
  meta: RunMeta,
  row: RowSummary,
  link: boolean,
): Markup | string {
  if (!link || row.trace_id === undefined) return rowName(row);
  return <a href={tracePath(meta.id, row.trace_id)}>{rowName(row)}</a>;
}

function exchangePart(exchange: Span, open: boolean): Markup {
  return (
    <>
      <p class="where">
        <code>{exchangeGist(exchange)}</code>{" "}
        <span>{latencyText(exchange.duration_us / 1_000)}</span>
      </p>
      {exchangeView(exchange, open)}
    </>
  );
}

/** Further failures of the iteration that stands for the others. */
function furtherFailures(row: RowSummary): Markup | undefined {
  const { failures, other_failures: beyond = 0 } = row;
  if (failures.length < 2) return;
  return (
    <>
      <p class="note">Also in {rowName(row)}:</p>
      <ul class="also">
        {failures.slice(1).map((each) => (
          <li>
            <strong>{each.step}</strong> <Location of={each} />{" "}
            <span class="message">{withCode(each.message)}</span>
          </li>
        ))}
        {beyond > 0 && <li>and {plural(beyond, "more failure")}</li>}
      </ul>
    </>
  );
}

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
        columns={rowColumns(meta, address !== undefined)}
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

function rowColumns(meta: RunMeta, link: boolean): Column<RowSummary>[] {
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
    {
      title: "failed at",
      sparse: true,
      cell: ({ failures }) => failures[0]?.step,
    },
    {
      title: "why",
      narrow: "line",
      sparse: true,
      tone: () => "message",
      cell: failureLines,
    },
  ];
}

/** Everything that is wrong with a row; its first step is named beside it. */
function failureLines(
  { failures, other_failures: others = 0 }: RowSummary,
): Markup[] {
  return [
    ...failures.map(({ step, message }) => (
      <div>{step !== failures[0]!.step && `${step}: `}{withCode(message)}</div>
    )),
    ...others === 0 ? [] : [<div>and {plural(others, "more failure")}</div>],
  ];
}
