import { shellWord } from "../../lib/base/text/display.ts";
import {
  countText,
  isUncounted,
  judgementsOf,
  latencyText,
  plural,
  rateOf,
  shareText,
  type ShownJudgement,
} from "../../lib/results/report/figures.ts";
import { figureOrNone, knownP95 } from "../model/words.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  earlierOf,
  filterRuns,
  type Listed,
  listPage,
  parseFilter,
  sortRuns,
} from "../model/run_list.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { judgedRow } from "./judged_view.tsx";
import { Moment, Pager, VerdictSign, withCode } from "./parts.tsx";
import {
  flowPath,
  numberOf,
  type PageRequest,
  type PageResponse,
  runPath,
  withQuery,
} from "./page_request.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { sparkline } from "../chart/frame.tsx";

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
  const intoStore = `--store ${shellWord(index.storeDir)}`;
  return {
    title: "Runs",
    body: (
      <>
        <h1>Runs</h1>
        {all.length === 0
          ? (
            <p class="empty">
              No runs in <code>{index.storeDir}</code> yet. Try{" "}
              <code>
                {`bench run flow.yaml --target <target> ${intoStore}`}
              </code>{" "}
              or <code>{`bench demo ${intoStore}`}</code>.
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
                : runsTable(all, shown, url, sort)}
              <Pager
                label="Pages"
                page={page}
                pages={pages}
                words={sort === "" ? ["newer", "older"] : ["previous", "next"]}
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
        fields: verdict, flow, tag, mode, target, id, knee; such as{" "}
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

function runsTable(
  all: readonly Listed[],
  shown: readonly Listed[],
  url: URL,
  sort: string,
): Markup {
  const earlier = earlierOf(all, shown);
  const stored = new Set(all.map(({ id }) => id));
  const rows = shown.flatMap((listed): RunRow[] => {
    const before = earlier.get(listed.id) ?? [];
    const row = { listed, meta: listed.meta!, before };
    const judged = listed.meta ? judgementsOf(listed.meta) : [];
    return [
      ...judged.filter(({ runs }) => runs[0] === listed.id)
        .map((judgement) => ({ ...row, judgement })),
      row,
    ];
  });
  return (
    <form action="/compare" method="get">
      <DataTable
        columns={runColumns(url, sort)}
        rows={rows}
        label="Runs"
        className="runs"
        whole={({ listed, judgement }) =>
          judgement
            ? judgedRow(judgement, stored)
            : listed.meta
            ? undefined
            : brokenRow(listed)}
      />
      <p>
        <button type="submit">Compare the two ticked</button>{" "}
        <span class="note" id="ticked"></span>
      </p>
    </form>
  );
}

function brokenRow({ id, error, incomplete }: Listed): Markup {
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
        {withCode(error ?? "")}
      </td>
    </tr>
  );
}

/** A run of the list beside those of its flow before it, oldest first. */
interface RunRow {
  readonly listed: Listed;
  /** Columns are only of runs that can be read. */
  readonly meta: RunMeta;
  readonly before: readonly RunMeta[];
  /** The row is a verdict over this run and others. */
  readonly judgement?: ShownJudgement;
}

/**
 * The columns of the run list; those that can be sorted by link to it.
 *
 * @param sort as in the address: a key, with `-` before it for downwards
 */
function runColumns(url: URL, sort: string): Column<RunRow>[] {
  return COLUMNS.map(({ key, title, ...column }) =>
    key === undefined ? { title, ...column } : {
      ...column,
      label: String(title),
      title: sortLink(url, sort, key, String(title)),
      sorted: directionOf(sort, key),
    }
  );
}

function sortLink(url: URL, sort: string, key: string, title: string): Markup {
  const to = sort === `-${key}` ? key : `-${key}`;
  return <a href={withQuery(url, { sort: to, page: "" })}>{title}</a>;
}

function directionOf(sort: string, key: string) {
  if (sort === key) return "ascending";
  return sort === `-${key}` ? "descending" : undefined;
}

interface RunColumn extends Column<RunRow> {
  /** Of `SORTS`, where the list can be sorted by it. */
  readonly key?: string;
}

const COLUMNS: readonly RunColumn[] = [
  {
    // Its cells need no label.
    title: <span class="hidden">compare</span>,
    label: "compare",
    narrow: "lead",
    cell: ({ meta: { id, flow } }) => (
      <input
        type="checkbox"
        name="run"
        value={id}
        data-flow={flow}
        aria-label={`compare ${id}`}
      />
    ),
  },
  {
    key: "verdict",
    title: "verdict",
    narrow: "lead",
    cell: ({ meta }) => <VerdictSign meta={meta} />,
  },
  {
    key: "started",
    title: "started",
    cell: ({ meta: { id, started_at } }) => (
      <a class="row" href={runPath(id)}>
        <Moment at={started_at} />
      </a>
    ),
  },
  {
    key: "flow",
    ...naming(
      "flow",
      ({ meta: { flow, tags = [] } }) => (
        <>
          <a href={flowPath(flow)}>{flow}</a>
          {tags.map((tag) => (
            <>
              {" "}
              <a class="more" href={`/?q=${encodeURIComponent(`tag:${tag}`)}`}>
                {tag}
              </a>
            </>
          ))}
        </>
      ),
    ),
  },
  { key: "mode", title: "mode", cell: ({ meta }) => meta.mode },
  { key: "target", title: "target", cell: ({ meta }) => meta.target },
  {
    key: "vus",
    ...figure("VUs", ({ meta }) => countText(meta.vus), { narrow: "never" }),
  },
  {
    key: "duration",
    ...figure("duration", ({ meta }) => latencyText(meta.duration_ms)),
  },
  {
    key: "iterations",
    ...figure(
      "iterations",
      ({ meta }) =>
        isUncounted(meta) ? "–" : countText(meta.iterations.completed),
      { narrow: "never" },
    ),
  },
  rateColumn("error_rate", "bad"),
  rateColumn("throttle_rate", "warn"),
  {
    key: "p95",
    ...figure(
      "p95",
      ({ meta, before }) =>
        knownP95(meta) !== null
          ? [
            sparkline([...before, meta].flatMap((run) => knownP95(run) ?? [])),
            changeText(before.at(-1), meta),
            " ",
            figureOrNone("p95", meta),
          ]
          : figureOrNone("p95", meta),
    ),
  },
  {
    title: "knee",
    tone: () => "named",
    cell: ({ meta: { knee } }) => knee?.class ?? "–",
  },
  {
    title: "agent",
    narrow: "never",
    cell: ({ meta }) => meta.agent_attached ? "✓ yes" : "–",
  },
];

function rateColumn(
  name: "error_rate" | "throttle_rate",
  tone: "bad" | "warn",
): RunColumn {
  return {
    key: name,
    ...figure(
      name,
      ({ meta, before }) => {
        if (rateOf(meta, name) === null) return "–";
        const shares = [...before, meta].map((run) => run[name]);
        return [
          // A line at zero says nothing.
          shares.some((share) => share > 0) && sparkline(shares, tone),
          shareText(meta[name]),
        ];
      },
      { tone: ({ meta }) => meta[name] > 0 ? tone : "" },
    ),
  };
}

/** The change of p95 against the run of the same flow before it. */
function changeText(
  before: RunMeta | undefined,
  now: RunMeta,
): Markup | undefined {
  const [a, b] = [before && knownP95(before), knownP95(now)];
  if (!a || b === null) return;
  const percent = Math.round((b / a - 1) * 100);
  return <span class="more">{percent > 0 ? "+" : ""}{percent}%</span>;
}
