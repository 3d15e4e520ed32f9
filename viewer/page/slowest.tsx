import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup.ts";
import type { OpenRun } from "../store/open_run.ts";
import { Trouble } from "./layout.tsx";
import { NoTraces } from "./not_written.tsx";
import { traceTable } from "./trace_table.tsx";
import { runPath } from "./visit.ts";

/** The five slowest traces that were kept. */
export async function slowestTraces(
  meta: RunMeta,
  run: OpenRun,
): Promise<Markup> {
  const { value, problem } = await run.entries();
  if (problem !== undefined) return <Trouble problem={problem} />;
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
