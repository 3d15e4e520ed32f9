import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { sparkline } from "../chart/sparkline.tsx";
import type { Markup, Piece } from "../markup/markup.ts";
import type { Listed } from "../model/run_list.ts";
import type { Column } from "../markup/data_table.tsx";
import { Moment, VerdictSign } from "./parts.tsx";
import { flowPath, runPath, withQuery } from "./page_request.ts";

/** A run of the list beside what its flow's p95 was before, oldest first. */
export interface RunRow {
  readonly listed: Listed;
  readonly before: readonly number[];
}

/**
 * The columns of the run list; those that can be sorted by link to it.
 *
 * @param sort as in the address: a key, with `-` before it for downwards
 */
export function runColumns(url: URL, sort: string): Column<RunRow>[] {
  return COLUMNS.map(({ key, title, of, tone, silent, ...column }) => ({
    ...column,
    label: title,
    title: key !== undefined
      ? sortLink(url, sort, key, title)
      : silent
      ? <span class="hidden">{title}</span>
      : title,
    sorted: key === undefined ? undefined : directionOf(sort, key),
    cell: ({ listed, before }) => of(listed.meta!, before),
    ...(tone && {
      tone: ({ listed }: RunRow) => tone(listed.meta!),
    }),
  }));
}

function sortLink(url: URL, sort: string, key: string, title: string): Markup {
  const to = sort === `-${key}` ? key : `-${key}`;
  return <a href={withQuery(url, { sort: to, page: "" })}>{title}</a>;
}

function directionOf(sort: string, key: string) {
  if (sort === key) return "ascending";
  return sort === `-${key}` ? "descending" : undefined;
}

interface RunColumn
  extends Omit<Column<RunRow>, "title" | "label" | "cell" | "tone"> {
  readonly title: string;
  /** Its cells speak for themselves. */
  readonly silent?: true;
  /** Of `SORTS`, where the list can be sorted by it. */
  readonly key?: string;
  readonly tone?: (meta: RunMeta) => string;
  readonly of: (meta: RunMeta, before: readonly number[]) => Piece;
}

const COLUMNS: readonly RunColumn[] = [
  {
    title: "compare",
    silent: true,
    narrow: "lead",
    of: ({ id, flow }) => (
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
    of: (meta) => <VerdictSign meta={meta} />,
  },
  {
    key: "started",
    title: "started",
    of: ({ id, started_at }) => (
      <a class="row" href={runPath(id)}>
        <Moment at={started_at} />
      </a>
    ),
  },
  {
    key: "flow",
    title: "flow",
    kind: "head",
    narrow: "lead",
    of: ({ flow }) => <a href={flowPath(flow)}>{flow}</a>,
  },
  { key: "mode", title: "mode", of: ({ mode }) => mode },
  { key: "target", title: "target", of: ({ target }) => target },
  number("vus", "VUs", ({ vus }) => countText(vus), "never"),
  number("duration", "duration", ({ duration_ms }) => latencyText(duration_ms)),
  number(
    "iterations",
    "iterations",
    ({ iterations }) => countText(iterations.completed),
    "never",
  ),
  {
    ...number("error_rate", "error_rate", rate("error_rate")),
    tone: ({ error_rate }) => error_rate > 0 ? "bad" : "",
  },
  {
    ...number("throttle_rate", "throttle_rate", rate("throttle_rate")),
    tone: ({ throttle_rate }) => throttle_rate > 0 ? "warn" : "",
  },
  {
    key: "p95",
    title: "p95",
    tone: () => "named",
    of: ({ latency, requests }, before) =>
      latency.max === null ? "–" : (
        <>
          {latencyText(latency.p95)} {sparkline([...before, latency.p95])}{" "}
          {requests >= FEW && change(before.at(-1), latency.p95)}
        </>
      ),
  },
  { title: "knee", tone: () => "named", of: ({ knee }) => knee?.class ?? "–" },
  {
    title: "agent",
    narrow: "never",
    of: ({ agent_attached }) => agent_attached ? "✓ yes" : "–",
  },
];

function number(
  key: string,
  title: string,
  of: (meta: RunMeta) => string,
  narrow?: "never",
): RunColumn {
  return { key, title, kind: "number", of, ...(narrow && { narrow }) };
}

function rate(name: "error_rate" | "throttle_rate") {
  return (meta: RunMeta) =>
    meta.iterations.completed === 0 ? "–" : shareText(meta[name]);
}

/** A percentile of fewer requests than this changes by chance. */
const FEW = 100;

/** Against the run of the same flow before it. */
function change(before: number | undefined, now: number): Markup | undefined {
  if (before === undefined || before === 0) return;
  const percent = Math.round((now / before - 1) * 100);
  return <span class="more">{percent > 0 ? "+" : ""}{percent}%</span>;
}
