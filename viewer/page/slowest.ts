import type { RunMeta } from "../../lib/model/result/run.ts";
import { html, type Markup } from "../markup.ts";
import type { OpenRun } from "../store/open_run.ts";
import { trouble } from "./layout.ts";
import { noTraces } from "./not_written.ts";
import { traceTable } from "./trace_table.ts";
import { runPath } from "./visit.ts";

/** The five slowest traces that were kept. */
export async function slowestTraces(
  meta: RunMeta,
  run: OpenRun,
): Promise<Markup> {
  const { value, problem } = await run.entries();
  if (problem !== undefined) return trouble(problem);
  if (!value || value.length === 0) {
    return noTraces(meta);
  }
  const slowest = value.toSorted((a, b) => b.duration_us - a.duration_us)
    .slice(0, 5);
  return html`${
    traceTable(
      meta,
      slowest,
      undefined,
      new URLSearchParams({ sort: "-duration" }),
    )
  }<p><a href="${
    runPath(meta.id, "/traces?sort=-duration")
  }">All traces</a></p>`;
}
