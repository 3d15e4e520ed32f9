import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { Unreadable } from "./layout.tsx";
import { NoTraces } from "./not_written.tsx";
import { traceTable } from "./trace_table.tsx";
import { runPath } from "./page_request.ts";

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
