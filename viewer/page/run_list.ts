import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/report/figures.ts";
import type { RunMeta } from "../../lib/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { filterRuns, parseFilter } from "../model/run_filter.ts";
import { sortRuns, SORTS } from "../model/run_sort.ts";
import type { Listed } from "../store/shelf.ts";
import { type Earlier, earlierOf } from "../model/earlier.ts";
import { moment, verdictSign } from "./signs.ts";
import { sparkline } from "../chart/sparkline.ts";
import {
  numberOf,
  type PageAnswer,
  runPath,
  type Visit,
  withQuery,
} from "./visit.ts";

const PAGE = 200;

/** Every run of the store, newest first. */
export async function runListPage(visit: Visit): Promise<PageAnswer> {
  const { url, shelf } = visit;
  const all = await shelf.list();
  const text = url.searchParams.get("q") ?? "";
  const sort = url.searchParams.get("sort") ?? "";
  const wanted = sortRuns(filterRuns(all, parseFilter(text)), sort);
  const pages = Math.max(1, Math.ceil(wanted.length / PAGE));
  const page = Math.min(
    pages,
    Math.max(1, Math.trunc(numberOf(url, "page") ?? 1)),
  );
  const shown = wanted.slice((page - 1) * PAGE, page * PAGE);
  return {
    title: "Runs",
    body: html`<h1>Runs</h1>
${
      all.length === 0
        ? html`
          <p
            class="empty">No runs in <code>${shelf
              .storeDir}</code> yet. Try <code>bench run flow.yaml --target &lt;target&gt;</code> or <code>bench demo</code>.</p>
        `
        : html`${filterForm(text, sort)}
<p class="note">${plural(wanted.length, "run")}${
          wanted.length !== all.length && ` of ${countText(all.length)}`
        } in <code>${shelf.storeDir}</code></p>
${
          wanted.length === 0
            ? html`
              <p
                class="empty">No run fits <code>${text}</code>. <a href="/">Show all</a></p>
            `
            : table(shown, earlierOf(all), url, sort)
        }
${pages > 1 && pager(url, page, pages)}`
    }`,
  };
}

function filterForm(text: string, sort: string): Markup {
  return html`
    <form class="filter" action="/" method="get"
      role="search"><label for="q">Filter</label> <input id="q" name="q" type="search" value="${text}" placeholder="verdict:fail flow:checkout !target:prod" autocomplete="off" spellcheck="false"> ${sort !==
          "" &&
        html`<input type="hidden" name="sort" value="${sort}">`}<button>Apply</button> <span class="note">fields: verdict, flow, mode, target, id, knee</span></form>
  `;
}

function table(
  runs: readonly Listed[],
  earlier: Earlier,
  url: URL,
  sort: string,
): Markup {
  return html`
    <form action="/compare" method="get">
      <div class="scroll" tabindex="0" role="region" aria-label="Runs">
        <table class="wide runs">
          <thead>
            <tr><th scope="col"><span class="hidden">compare</span></th>${SORTS
              .map(({ key, title, number }) =>
                html`
                  <th scope="col"
                    ${number && html`
                      class="n"
                    `}${sort === key && html`
                      aria-sort="ascending"
                    `}${sort === `-${key}` && html`
                      aria-sort="descending"
                    `}><a href="${withQuery(url, {
                      sort: sort === `-${key}` ? key : `-${key}`,
                      page: "",
                    })}">${title}</a></th>
                `
              )}<th scope="col">p95</th><th scope="col">knee</th><th scope="col">agent</th></tr>
          </thead>
          <tbody>${runs.map((each) =>
            each.meta ? row(each, each.meta, earlier) : broken(each)
          )}</tbody>
        </table>
      </div>
      <p><button>Compare the two ticked</button> <span class="note" id="ticked"></span></p>
    </form>
  `;
}

function row(
  { id }: Listed,
  meta: RunMeta,
  earlier: Earlier,
): Markup {
  const { latency, iterations } = meta;
  const before = earlier.get(id) ?? [];
  const none = iterations.completed === 0;
  return html`
    <tr>
      <td><input type="checkbox" name="run" value="${id}" aria-label="compare ${id}"></td>
      <td>${verdictSign(meta)}</td>
      <td><a class="row" href="${runPath(id)}">${moment(
        meta.started_at,
      )}</a></td>
      <th scope="row">${meta.flow}</th>
      <td>${meta.mode}</td>
      <td>${meta.target}</td>
      <td class="n">${countText(meta.vus)}</td>
      <td class="n">${latencyText(meta.duration_ms)}</td>
      <td class="n">${countText(iterations.completed)}</td>
      <td class="n ${meta.error_rate > 0 ? "bad" : ""}">${none
        ? "–"
        : shareText(meta.error_rate)}</td>
      <td class="n ${meta.throttle_rate > 0 ? "warn" : ""}">${none
        ? "–"
        : shareText(meta.throttle_rate)}</td>
      <td class="trend">${latency.max === 0
        ? "–"
        : latencyText(latency.p95)} ${sparkline([
          ...before,
          latency.p95,
        ])}${change(before.at(-1), latency.p95)}</td>
      <td>${meta.knee?.class ?? "–"}</td>
      <td>${meta.agent_attached ? "✓ yes" : "–"}</td>
    </tr>
  `;
}

/** Against the run of the same flow before it. */
function change(before: number | undefined, now: number): Markup | undefined {
  if (before === undefined || before === 0 || now === 0) return;
  const percent = Math.round((now / before - 1) * 100);
  return html`
    <span class="more">${percent > 0 ? "+" : ""}${percent}%</span>
  `;
}

function broken({ id, problem }: Listed): Markup {
  return html`
    <tr class="broken">
      <td></td>
      <td><span class="verdict stopped"><span aria-hidden="true">?</span> UNREADABLE</span></td>
      <td
        colspan="12"><a class="row" href="${runPath(
          id,
        )}">${id}</a> ${problem}</td>
    </tr>
  `;
}

function pager(url: URL, page: number, pages: number): Markup {
  const to = (at: number, title: string) =>
    at < 1 || at > pages
      ? html`
        <span class="off">${title}</span>
      `
      : html`
        <a href="${withQuery(url, { page: String(at) })}">${title}</a>
      `;
  return html`
    <nav class="pager"
      aria-label="Pages">${to(page - 1, "newer")}page ${page} of ${pages} ${to(
        page + 1,
        "older",
      )}</nav>
  `;
}
