import type { OnceSummary, RunMeta } from "../../lib/model/result/run.ts";
import { ONCE } from "../../lib/model/result/trace.ts";
import { latencyText } from "../../lib/results/report/figures.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { tracePath } from "./page_request.ts";
import { Location, OutcomeSign, withCode } from "./parts.tsx";

/** One step that is carried out once. */
interface Line {
  readonly list: (typeof ONCE)[number];
  readonly step: OnceSummary["steps"][number];
  readonly failures: OnceSummary["failures"];
}

/** Whether nothing of it has to be looked at first. */
export function oncePassed(meta: RunMeta): boolean {
  return ONCE.every((list) => (meta[list]?.outcome ?? "passed") === "passed");
}

/**
 * The steps of `setup` and `teardown`; undefined without any.
 *
 * @param link whether traces can be opened from here
 */
export function onceView(meta: RunMeta, link: boolean): Markup | undefined {
  const lines = ONCE.flatMap((list) => {
    const { steps = [], failures = [] } = meta[list] ?? {};
    return steps.map((step): Line => ({
      list,
      step,
      failures: failures.filter((each) => each.step === step.id),
    }));
  });
  if (lines.length === 0) return;
  return (
    <>
      <DataTable columns={COLUMNS} rows={lines} label="Setup and teardown" />
      {link && onceTraces(meta)}
    </>
  );
}

/** Links to the traces of `setup` and `teardown`, which are no iterations; undefined without any. */
export function onceTraces(meta: RunMeta): Markup | undefined {
  const kept = ONCE.flatMap((list) => {
    const id = meta[list]?.trace_id;
    return id === undefined ? [] : [{ list, id }];
  });
  if (kept.length === 0) return;
  return (
    <p class="where">
      {kept.map(({ list, id }) => (
        <span>
          <a href={tracePath(meta.id, id)}>trace of {list}</a>
          {" "}
        </span>
      ))}
    </p>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    title: "outcome",
    narrow: "lead",
    cell: ({ step: { outcome } }) =>
      outcome === null ? "not begun" : <OutcomeSign outcome={outcome} />,
  },
  naming("step", ({ step }) => <strong>{step.id}</strong>),
  { title: "in", cell: ({ list }) => <code>{list}</code> },
  figure(
    "duration",
    ({ step: { outcome, duration_ms } }) =>
      outcome === null ? "–" : latencyText(duration_ms),
  ),
  {
    title: "why",
    narrow: "line",
    sparse: true,
    cell: ({ failures }) =>
      failures.map((each) => (
        <div>
          <Location of={each} />{" "}
          <span class="message">{withCode(each.message)}</span>
        </div>
      )),
  },
];
