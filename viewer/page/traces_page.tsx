import { countText, plural } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { stepIds } from "../store/stored_flow.ts";
import { readTraceQuery, selectTraces } from "../model/trace_query.ts";
import { exportLinks } from "./export_links.tsx";
import { NoTraces, OUTCOMES, Select, Unreadable } from "./parts.tsx";
import { traceTable } from "./trace_table.tsx";
import {
  listFilter,
  type PageResponse,
  runPath,
  type RunRequest,
  traceFilter,
  withFilter,
  withQuery,
} from "./page_request.ts";

/** The kept traces of a run, filtered. */
export async function tracesPage(
  { url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const query = readTraceQuery(url.searchParams);
  const [entries, digest, facts, ids] = await Promise.all([
    run.entries(),
    run.digest(),
    run.traceFacts(),
    stepIds(meta, run),
  ]);
  const error = entries.error ?? digest.error;
  const all = entries.value ?? [];
  const found = selectTraces(all, digest.value?.notes, query);
  return {
    title: `Traces of ${meta.flow}`,
    run: { id: meta.id, tab: "traces", live: meta.status === "running" },
    body: (
      <>
        <h1>Traces</h1>
        {error !== undefined && <Unreadable error={error} />}
        {all.length === 0
          ? error === undefined &&
            <NoTraces meta={meta} />
          : (
            <>
              <p class="note">
                {plural(all.length, "trace")} of {plural(
                  Math.max(meta.iterations.started, all.length),
                  "iteration",
                )} were kept. {facts?.policy === "sampled"
                  ? "A load run keeps failures spread over their causes, the slowest iterations, and a sample of the rest."
                  : "This run keeps every iteration."}
                {facts?.truncated && " Some that should be here were left out."}
              </p>
              {form(url, ids, meta)}
              <p>
                {plural(found.total, "trace")}{" "}
                {found.total === 1 ? "fits" : "fit"}
                {found.total > found.entries.length &&
                  `; ${countText(found.entries.length)} are shown`}.
              </p>
              {found.total > 0 && exportLinks(
                meta.id,
                "trace",
                traceFilter(url),
                (<>
                  , or{" "}
                  <a
                    href={withFilter(
                      runPath(meta.id, "/flame"),
                      traceFilter(url),
                    )}
                  >
                    see where their time went
                  </a>
                </>),
              )}
              {found.entries.length === 0
                ? (
                  <p class="empty">
                    No trace fits.{" "}
                    <a href={runPath(meta.id, "/traces")}>Show all</a>
                  </p>
                )
                : traceTable(
                  meta,
                  found.entries,
                  digest.value?.notes,
                  listFilter(url),
                )}
              {found.next !== undefined &&
                (
                  <p class="pager">
                    <a href={withQuery(url, { cursor: found.next })}>
                      next {countText(query.limit)}
                    </a>
                  </p>
                )}
            </>
          )}
      </>
    ),
  };
}

function form(url: URL, ids: readonly string[], meta: RunMeta): Markup {
  const now = (name: string) => url.searchParams.get(name) ?? "";
  const number = (name: string, title: string, min = "0") => (
    <label>
      {title}{" "}
      <input
        name={name}
        type="number"
        min={min}
        step="any"
        value={now(name)}
      />
    </label>
  );
  return (
    <form
      class="filter"
      action={runPath(meta.id, "/traces")}
      method="get"
      role="search"
    >
      <Select
        name="outcome"
        id="outcome"
        options={[["", "any"], ...OUTCOMES]}
        chosen={now("outcome")}
      />{" "}
      <Select
        name="step"
        options={[["", "any"], ...ids.map((id) => [id, id] as const)]}
        chosen={now("step")}
      />{" "}
      {number("status", "status")}
      {number("min", "from ms")}
      {number("max", "to ms")}
      {number("t0", "after s")}
      {number("t1", "before s")}
      {number("vu", "VU", "1")}
      <label>
        text{" "}
        <input
          name="q"
          type="search"
          id="q"
          value={now("q")}
        />
      </label>{" "}
      <Select
        name="sort"
        title="order"
        options={[
          ["", "time"],
          ["-duration", "slowest first"],
          ["duration", "fastest first"],
        ]}
        chosen={now("sort")}
      />{" "}
      <button type="submit">Apply</button>
    </form>
  );
}
