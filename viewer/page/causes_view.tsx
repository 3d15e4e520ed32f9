import {
  countText,
  latencyText,
  plural,
  rowName,
} from "../../lib/results/report/figures.ts";
import type { RowSummary, RunMeta } from "../../lib/model/result/run.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import type { Markup } from "../markup/markup.ts";
import { type Cause, causesOf, exchangeOf } from "../model/causes.ts";
import { exchangeGist } from "../model/span_gist.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { difference } from "./failure_groups.tsx";
import { Location, OutcomeSign } from "./parts.tsx";
import { runPath, tracePath } from "./page_request.ts";
import { exchangeView } from "./span_details.tsx";

/** Causes shown, and rows that are named of each. */
const MOST = 5;
const NAMED = 8;

/**
 * What a functional run failed of: the location, expected and actual, the exchange
 * that shows it, and what else is wrong with the same iteration. Undefined when
 * everything passed.
 *
 * @param rows every one of the run
 */
export async function causesView(
  meta: RunMeta,
  run: RunDirectory,
  rows: readonly RowSummary[],
  link: boolean,
): Promise<Markup | undefined> {
  const causes = causesOf(rows);
  if (causes.length === 0) return;
  const shown: Markup[] = [];
  for (const [index, cause] of causes.slice(0, MOST).entries()) {
    const exchange = await exchangeFor(cause, run);
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
): Promise<Span | undefined> {
  const id = rows[0]?.trace_id;
  const trace = id === undefined ? undefined : (await run.trace(id)).value;
  return trace && exchangeOf(trace, failure.step);
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
      <p class="message">{failure.message}</p>
      {difference(failure)}
      <p class="where">
        {named.map((row) => <span>{rowLink(meta, row, link)}</span>)}{" "}
        {rows.length > NAMED && (
          <span>and {countText(rows.length - NAMED)} more</span>
        )}
      </p>
      {exchange && exchangePart(exchange, open)}
      {first && others(first)}
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

/** What else is wrong with the iteration that stands for the others. */
function others(row: RowSummary): Markup | undefined {
  const { failures, other_failures: beyond = 0 } = row;
  if (failures.length < 2) return;
  return (
    <>
      <p class="note">Also in {rowName(row)}:</p>
      <ul class="also">
        {failures.slice(1).map((each) => (
          <li>
            <strong>{each.step}</strong> <Location of={each} />{" "}
            <span class="message">{each.message}</span>
          </li>
        ))}
        {beyond > 0 && <li>and {plural(beyond, "more failure")}</li>}
      </ul>
    </>
  );
}
