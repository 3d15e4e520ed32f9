import { actualText, samplesText } from "../../lib/results/report/figures.ts";
import type { RunMeta, ThresholdVerdict } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { OutcomeSign } from "./parts.tsx";
import { coordinate } from "../chart/axis.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";

/** Every threshold with what it came out at. */
export function thresholdTable(meta: RunMeta): Markup {
  if (meta.thresholds.length === 0) {
    return (
      <p class="empty">
        {meta.status === "running"
          ? "Thresholds are judged when the run ends."
          : meta.ended_at === null
          ? "No threshold was judged: the run did not get that far."
          : "No threshold was set."}
      </p>
    );
  }
  return (
    <DataTable columns={COLUMNS} rows={meta.thresholds} label="Thresholds" />
  );
}

const COLUMNS: readonly Column<ThresholdVerdict>[] = [
  {
    title: "verdict",
    narrow: "lead",
    cell: ({ pass }) =>
      pass
        ? <OutcomeSign outcome="passed">held</OutcomeSign>
        : <OutcomeSign outcome="failed">breached</OutcomeSign>,
  },
  naming("threshold", ({ expression, implied }) => (
    <>
      <code>{expression}</code>{" "}
      {implied && <span class="more">implied by the mode</span>}
    </>
  )),
  figure("actual", actualText),
  {
    title: "actual against the limit",
    label: "",
    narrow: "line",
    cell: margin,
  },
  figure("rests on", samplesText),
];

/** A bar from 0 to the actual value, with the limit as a line. */
function margin(threshold: ThresholdVerdict): Markup | undefined {
  const { limit, actual } = threshold;
  if (actual === null) return;
  const top = Math.max(limit, actual) * 1.1 || 1;
  const x = (value: number) => coordinate(value / top * 200);
  const text = actualText({ ...threshold, actual: limit });
  return (
    <svg
      class="margin"
      viewBox="0 0 200 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={`limit ${text}`}
    >
      <path class="track" fill="#8883" d="M0 5H200V9H0z" />
      <path
        class={threshold.pass ? "good" : "bad"}
        fill="#555"
        d={`M0 3H${x(actual)}V11H0z`}
      />
      <path class="limit" stroke="#888" d={`M${x(limit)} 0V14`} />
    </svg>
  );
}
