import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { sparkline } from "../chart/sparkline.tsx";
import type { Markup } from "../markup/markup.ts";
import type { Listed } from "../model/run_list.ts";
import { type Column, figure, naming } from "../markup/data_table.tsx";
import { Moment, VerdictSign } from "./parts.tsx";
import { flowPath, runPath, withQuery } from "./page_request.ts";

/** A run of the list beside what its flow's p95 was before, oldest first. */
export interface RunRow {
  readonly listed: Listed;
  /** Columns are only of runs that can be read. */
  readonly meta: RunMeta;
  readonly before: readonly number[];
}

/**
 * The columns of the run list; those that can be sorted by link to it.
 *
 * @param sort as in the address: a key, with `-` before it for downwards
 */
export function runColumns(url: URL, sort: string): Column<RunRow>[] {
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
    // Its cells speak for themselves.
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
      ({ meta: { flow } }) => <a href={flowPath(flow)}>{flow}</a>,
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
      ({ meta }) => countText(meta.iterations.completed),
      { narrow: "never" },
    ),
  },
  rate("error_rate", "bad"),
  rate("throttle_rate", "warn"),
  {
    key: "p95",
    title: "p95",
    tone: () => "named",
    cell: ({ meta: { latency, requests }, before }) =>
      latency.max === null ? "–" : (
        <>
          {latencyText(latency.p95)} {sparkline([...before, latency.p95])}{" "}
          {requests >= FEW && change(before.at(-1), latency.p95)}
        </>
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

function rate(
  name: "error_rate" | "throttle_rate",
  tone: "bad" | "warn",
): RunColumn {
  return {
    key: name,
    ...figure(
      name,
      ({ meta }) =>
        meta.iterations.completed === 0 ? "–" : shareText(meta[name]),
      { tone: ({ meta }) => meta[name] > 0 ? tone : "" },
    ),
  };
}

/** A percentile of fewer requests than this changes by chance. */
const FEW = 100;

/** Against the run of the same flow before it. */
function change(before: number | undefined, now: number): Markup | undefined {
  if (before === undefined || before === 0) return;
  const percent = Math.round((now / before - 1) * 100);
  return <span class="more">{percent > 0 ? "+" : ""}{percent}%</span>;
}
