import { countText, plural } from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/markup.ts";
import { filterRuns, parseFilter } from "../model/run_filter.ts";
import { sortRuns } from "../model/run_sort.ts";
import type { Listed } from "../model/listed_run.ts";
import { type Earlier, earlierOf } from "../model/earlier.ts";
import { DataTable } from "../markup/data_table.tsx";
import { runColumns, type RunRow } from "./run_columns.tsx";
import {
  numberOf,
  type PageRequest,
  type PageResponse,
  runPath,
  withQuery,
} from "./page_request.ts";

/** More make a browser lay out for longer than anyone waits. */
const PAGE = 100;

/** Every run of the store, newest first. */
export async function runListPage(request: PageRequest): Promise<PageResponse> {
  const { url, index } = request;
  const all = await index.list();
  const text = url.searchParams.get("q") ?? "";
  const sort = url.searchParams.get("sort") ?? "";
  const found = sortRuns(filterRuns(all, parseFilter(text)), sort);
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(
    pages,
    Math.max(1, Math.trunc(numberOf(url, "page") ?? 1)),
  );
  const shown = found.slice((page - 1) * PAGE, page * PAGE);
  return {
    title: "Runs",
    body: (
      <>
        <h1>Runs</h1>
        {all.length === 0
          ? (
            <p class="empty">
              No runs in <code>{index.storeDir}</code> yet. Try{" "}
              <code>bench run flow.yaml --target &lt;target&gt;</code> or{" "}
              <code>bench demo</code>.
            </p>
          )
          : (
            <>
              {filterForm(text, sort)}
              <p class="note">
                {plural(found.length, "run")}
                {found.length !== all.length &&
                  ` of ${countText(all.length)}`} in{" "}
                <code>{index.storeDir}</code>
              </p>
              {found.length === 0
                ? (
                  <p class="empty">
                    No run fits <code>{text}</code>. <a href="/">Show all</a>
                  </p>
                )
                : table(shown, earlierOf(all, shown), url, sort)}
              {pages > 1 && pager(url, page, pages)}
            </>
          )}
      </>
    ),
  };
}

const EXAMPLES = ["verdict:fail", "mode:load", "!verdict:pass"];

function filterForm(text: string, sort: string): Markup {
  return (
    <form class="filter" action="/" method="get" role="search">
      <label for="q">Filter</label>{" "}
      <input
        id="q"
        name="q"
        type="search"
        value={text}
        placeholder="verdict:fail flow:checkout !target:prod"
        autocomplete="off"
        spellcheck="false"
      />{" "}
      {sort !== "" &&
        <input type="hidden" name="sort" value={sort} />}
      <button type="submit">Apply</button>{" "}
      <span class="note">
        fields: verdict, flow, mode, target, id, knee; such as{" "}
        {EXAMPLES.map((q, i) => (
          <>
            {i > 0 && ", "}
            <a href={`/?q=${encodeURIComponent(q)}`}>{q}</a>
          </>
        ))}
      </span>
    </form>
  );
}

function table(
  runs: readonly Listed[],
  earlier: Earlier,
  url: URL,
  sort: string,
): Markup {
  const rows = runs.map((listed): RunRow => ({
    listed,
    before: earlier.get(listed.id) ?? [],
  }));
  return (
    <form action="/compare" method="get">
      <DataTable
        columns={runColumns(url, sort)}
        rows={rows}
        label="Runs"
        className="runs"
        whole={({ listed }) => listed.meta ? undefined : broken(listed)}
      />
      <p>
        <button type="submit">Compare the two ticked</button>{" "}
        <span class="note" id="ticked"></span>
      </p>
    </form>
  );
}

function broken({ id, error, incomplete }: Listed): Markup {
  return (
    <tr class="broken">
      <td></td>
      <td>
        <span class="verdict stopped">
          <span aria-hidden="true">?</span>{" "}
          {incomplete ? "INCOMPLETE" : "UNREADABLE"}
        </span>
      </td>
      <td colspan="12">
        <a
          class="row"
          href={runPath(id)}
        >
          {id}
        </a>{" "}
        {error}
      </td>
    </tr>
  );
}

function pager(url: URL, page: number, pages: number): Markup {
  const to = (at: number, title: string) =>
    at < 1 || at > pages
      ? <span class="off">{title}</span>
      : <a href={withQuery(url, { page: String(at) })}>{title}</a>;
  return (
    <nav class="pager" aria-label="Pages">
      {to(page - 1, "newer")}page {page} of {pages} {to(page + 1, "older")}
    </nav>
  );
}
