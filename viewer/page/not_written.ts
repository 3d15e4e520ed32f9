import type { RunMeta } from "../../lib/model/result/run.ts";
import { html, type Markup } from "../markup.ts";

/**
 * What stands in the place of something that is written when a run ends.
 *
 * @param what as a sentence begins: `The time series is`
 */
export function notWritten(
  { status, ended_at }: RunMeta,
  what: string,
): Markup {
  const why = status === "running"
    ? "written when the run ends."
    : ended_at === null
    ? "not there: the run was killed before its end."
    : "not in the run's directory.";
  return html`<p class="empty">${what} ${why}</p>`;
}

/** What stands in the place of traces where there are none. */
export function noTraces(meta: RunMeta): Markup {
  return meta.ended_at === null
    ? notWritten(meta, "Which traces are kept is")
    : html`<p class="empty">No trace was kept: no iteration ended.</p>`;
}
