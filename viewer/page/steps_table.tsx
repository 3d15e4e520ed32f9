import {
  countText,
  repeatedText,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isTooFew } from "../../lib/results/report/sample_sizes.ts";
import type { RunMeta, StepSummary } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { stepClass } from "../model/steps.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { bytesText, latencyOrNone } from "../model/words.ts";
import { NotWritten } from "./parts.tsx";
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
  naming("step", ({ step }) => step),
  {
    title: "check",
    narrow: "line",
    cell: ({ check }) => <code>{check}</code>,
  },
  figure("held", ({ passed, failed }) => (
    <>
      {countText(passed)}{" "}
      <span class="more">
        {passed + failed === 0 ? "–" : shareText(passed / (passed + failed))}
      </span>
    </>
  )),
  figure("did not", ({ failed }) => countText(failed), {
    tone: ({ failed }) => failed > 0 ? "bad" : "",
  }),
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
    naming("step", (step) =>
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
        : name(step)),
    { title: "kind", narrow: "lead", cell: ({ kind }) => kind },
    {
      title: "HTTP",
      narrow: "never",
      cell: ({ http_versions }) => http_versions.join(", ") || "–",
    },
    figure("begun", ({ executions }) => countText(executions)),
    figure("requests", ({ requests }) => countText(requests)),
    part("passed", ""),
    part("throttled", "warn"),
    part("failed", "bad"),
    ...(meta.steps.some((step) => repeatedText(step) !== "")
      ? [figure<StepSummary>("retried", (step) => repeatedText(step) || "0", {
        tone: (step) => repeatedText(step) === "" ? "" : "warn",
      })]
      : []),
    ...(["p50", "p95", "p99", "max"] as const).map(latency),
    figure(
      "throttled p50",
      (step) => latencyOrNone(step.throttled_latency.p50),
    ),
    figure("sent", ({ bytes_sent }) => bytesText(bytes_sent), {
      narrow: "never",
    }),
    figure("received", ({ bytes_received }) => bytesText(bytes_received), {
      narrow: "never",
    }),
  ];
}

/** A final class with its share of the steps that ended. */
function part(
  name: "passed" | "throttled" | "failed",
  tone: string,
): Column<StepSummary> {
  return figure(name, (step) => {
    const ended = step.passed + step.throttled + step.failed;
    return (
      <>
        {countText(step[name])} {step[name] > 0 && tone !== "" &&
          <span class="more">{shareText(step[name] / ended)}</span>}
      </>
    );
  }, { tone: (step) => step[name] > 0 ? tone : "" });
}

function latency(name: "p50" | "p95" | "p99" | "max"): Column<StepSummary> {
  return figure(
    name,
    ({ latency, latency_intervals: intervals }) =>
      latency.max !== null && isTooFew(name, intervals)
        ? "too few"
        : latencyOrNone(latency[name]),
  );
}
