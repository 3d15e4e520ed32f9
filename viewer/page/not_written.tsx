import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";

/**
 * What is shown instead of something that is written when a run ends.
 *
 * @param what as a sentence begins: `The time series is`
 */
export function NotWritten(
  { meta: { status, ended_at }, what }: { meta: RunMeta; what: string },
): Markup {
  const why = status === "running"
    ? "not there yet."
    : ended_at === null
    ? "not there: the run was killed too early."
    : "not in the run's directory.";
  return <p class="empty">{what} {why}</p>;
}

/** What is shown instead of traces where there are none. */
export function NoTraces({ meta }: { meta: RunMeta }): Markup {
  return meta.ended_at === null
    ? <NotWritten meta={meta} what="Traces are" />
    : <p class="empty">No trace was kept: no iteration ended.</p>;
}
