import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isTooFew } from "../../lib/results/report/sample_sizes.ts";
import type { RunMeta, StepSummary } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { stepClass } from "../model/steps.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import { bytesText } from "./figures.tsx";
import { NotWritten } from "./not_written.tsx";
import { runPath } from "./page_request.ts";

/** A row a step; `link` is off in a report file. */
export function stepsTable(meta: RunMeta, link = true): Markup {
  if (meta.steps.length === 0) {
    return <NotWritten meta={meta} what="The steps' figures are" />;
  }
  return (
    <DataTable columns={columns(meta, link)} rows={meta.steps} label="Steps" />
  );
}

interface CheckRow {
  readonly step: string;
  readonly check: string;
  readonly passed: number;
  readonly failed: number;
}

const CHECKS: readonly Column<CheckRow>[] = [
  { title: "step", kind: "head", narrow: "lead", cell: ({ step }) => step },
  {
    title: "check",
    narrow: "line",
    cell: ({ check }) => <code>{check}</code>,
  },
  {
    title: "held",
    kind: "number",
    cell: ({ passed, failed }) => (
      <>
        {countText(passed)}{" "}
        <span class="more">
          {passed + failed === 0 ? "–" : shareText(passed / (passed + failed))}
        </span>
      </>
    ),
  },
  {
    title: "did not",
    kind: "number",
    tone: ({ failed }) => failed > 0 ? "bad" : "",
    cell: ({ failed }) => countText(failed),
  },
];

/** How often each extraction and assertion held; undefined where none was counted. */
export function checksTable({ steps }: RunMeta): Markup | undefined {
  const rows = steps.flatMap(({ id, checks }) =>
    checks.map((each): CheckRow => ({ step: id, ...each }))
  );
  if (rows.length === 0) return;
  return <DataTable columns={CHECKS} rows={rows} label="Checks" />;
}

function columns(meta: RunMeta, link: boolean): Column<StepSummary>[] {
  const ids = meta.steps.map((step) => step.id);
  const name = ({ id }: StepSummary) => (
    <>
      <span class={`dot ${stepClass(ids, id)}`}></span>
      {id}
    </>
  );
  return [
    {
      title: "step",
      kind: "head",
      narrow: "lead",
      cell: (step) =>
        link
          ? (
            <a
              href={runPath(
                meta.id,
                `/traces?step=${encodeURIComponent(step.id)}`,
              )}
            >
              {name(step)}
            </a>
          )
          : name(step),
    },
    { title: "kind", narrow: "lead", cell: ({ kind }) => kind },
    {
      title: "HTTP",
      narrow: "never",
      cell: ({ http_versions }) => http_versions.join(", ") || "–",
    },
    count("begun", "executions"),
    count("requests", "requests"),
    part("passed", ""),
    part("throttled", "warn"),
    part("failed", "bad"),
    latency("p50"),
    latency("p95"),
    latency("p99"),
    latency("max"),
    {
      title: "throttled p50",
      kind: "number",
      cell: ({ throttled_latency: { p50 } }) =>
        p50 === null ? "–" : latencyText(p50),
    },
    bytes("sent", "bytes_sent"),
    bytes("received", "bytes_received"),
  ];
}

function count(
  title: string,
  pick: "executions" | "requests",
): Column<StepSummary> {
  return { title, kind: "number", cell: (step) => countText(step[pick]) };
}

function bytes(
  title: string,
  pick: "bytes_sent" | "bytes_received",
): Column<StepSummary> {
  return {
    title,
    kind: "number",
    narrow: "never",
    cell: (step) => bytesText(step[pick]),
  };
}

/** A final class with its share of the steps that ended. */
function part(
  name: "passed" | "throttled" | "failed",
  tone: string,
): Column<StepSummary> {
  return {
    title: name,
    kind: "number",
    tone: (step) => step[name] > 0 ? tone : "",
    cell: (step) => {
      const ended = step.passed + step.throttled + step.failed;
      return (
        <>
          {countText(step[name])} {step[name] > 0 && tone !== "" &&
            <span class="more">{shareText(step[name] / ended)}</span>}
        </>
      );
    },
  };
}

function latency(name: "p50" | "p95" | "p99" | "max"): Column<StepSummary> {
  return {
    title: name,
    kind: "number",
    cell: ({ latency, latency_intervals: intervals }) =>
      latency.max === null
        ? "–"
        : isTooFew(name, intervals)
        ? "too few"
        : latencyText(latency[name]),
  };
}
