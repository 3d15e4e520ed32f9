import { latencyText } from "../../lib/results/report/figures.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import type { Markup } from "../markup/markup.ts";
import { Verbatim } from "../markup/scroll.tsx";
import { curlOf } from "../model/curl.ts";
import type { WaterfallRow } from "../model/waterfall.ts";
import { difference } from "./failure_groups.tsx";
import { messageView } from "./message_view.tsx";

/** Exchanges shown in full; beyond them a page would take long to load. */
const MOST = 100;

/**
 * What there is to say of a span beyond its line, asked for in order: of a step,
 * an attempt that failed, an exchange with what was sent and received, a check.
 * Undefined for a phase, whose line says everything.
 */
export function spanDetails(
  rows: readonly WaterfallRow[],
): (row: WaterfallRow) => Markup | undefined {
  let shown = 0;
  return (row) => {
    const { span, kind } = row;
    const exchange = span.request !== undefined || span.response !== undefined;
    const bare = !exchange && !span.failure && !span.attributes;
    if (bare) return;
    const full = exchange && shown++ < MOST;
    return (
      <>
        {kind === "check" && (
          <p class="where">
            <code>{span.name}</code>
          </p>
        )}
        {failure(span)}
        {facts(Object.entries(span.attributes ?? {}))}
        {kind === "call" && phases(row, rows)}
        {full && exchangeView(span, true)}
        {exchange && !full &&
          (
            <p class="note">
              Only the first {MOST} exchanges are shown in full.
            </p>
          )}
      </>
    );
  };
}

function failure({ failure, outcome }: Span): Markup | undefined {
  if (!failure) return;
  return (
    <div class={`cause ${outcome ?? "failed"}`}>
      <p>
        <code>{failure.code}</code>{" "}
        <span class="message">{failure.message}</span>
      </p>
      {difference(failure)}
    </div>
  );
}

/** Names with what they are, in a line. */
function facts(all: readonly (readonly [string, unknown])[]) {
  if (all.length === 0) return;
  return (
    <p class="where">
      {all.map(([name, value]) => (
        <span>
          {name} <strong>{String(value)}</strong>
        </span>
      ))}
    </p>
  );
}

/** The phases in words, for who cannot see the bars. */
function phases({ span }: WaterfallRow, rows: readonly WaterfallRow[]) {
  return facts(
    rows.filter((row) =>
      row.kind === "phase" && row.span.parent_id === span.span_id
    ).map((row) => [
      row.span.name,
      latencyText(row.span.duration_us / 1_000),
    ]),
  );
}

/** What was sent and received. What went wrong is open; the rest is a click away. */
export function exchangeView(
  { request, response, attributes }: Span,
  open: boolean,
): Markup {
  const origin = attributes?.origin;
  const curl = request && typeof origin === "string"
    ? curlOf(request, origin.replace(/^ws/, "http"))
    : undefined;
  return (
    <>
      <details open={open}>
        <summary>Request and response</summary>
        <div class="exchange">
          {messageView("Request", request)}
          {messageView("Response", response)}
        </div>
      </details>
      {curl !== undefined &&
        (
          <details class="curl">
            <summary>As a curl command</summary>
            <button type="button" class="copy" data-copy hidden>Copy</button>
            <Verbatim label="curl command">{curl}</Verbatim>
          </details>
        )}
    </>
  );
}
