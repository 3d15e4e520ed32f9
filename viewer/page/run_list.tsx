import { countText, plural } from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/markup.ts";
import {
  earlierOf,
  filterRuns,
  type Listed,
  listPage,
  parseFilter,
  sortRuns,
} from "../model/run_list.ts";
import { DataTable } from "../markup/data_table.tsx";
import { Pager } from "./parts.tsx";
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
  const { page, pages, shown } = listPage(found, numberOf(url, "page"), PAGE);
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
                : table(all, shown, url, sort)}
              <Pager
                label="Pages"
                page={page}
                pages={pages}
                words={["newer", "older"]}
                address={(at) => withQuery(url, { page: String(at) })}
              />
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
  all: readonly Listed[],
  shown: readonly Listed[],
  url: URL,
  sort: string,
): Markup {
  const earlier = earlierOf(all, shown);
  const rows = shown.map((listed): RunRow => ({
    listed,
    meta: listed.meta!,
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
