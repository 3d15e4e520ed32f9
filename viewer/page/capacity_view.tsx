import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/capacity.ts";
import { capacitySentence } from "../../lib/results/report/sentences.ts";
import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import { lineChart } from "../chart/line_chart.tsx";
import { type Column, DataTable } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import { sentence } from "../model/sentence.ts";
import { rateText } from "./figures.tsx";

/** What a target can take: the bounds, the curve over the levels, and every trial. */
export function capacityView(capacity: Capacity): Markup {
  const { upper, cause, trials } = capacity;
  const byLevel = trials.toSorted((a, b) => a.level - b.level);
  return (
    <>
      <p>
        {sentence(
          `${capacity.lower === null && upper === null ? "" : "it "}${
            capacitySentence(capacity)
          }`,
        )} {upper === null ? "No upper bound: " : "Above: "}
        {cause}.
      </p>
      {curve(capacity, lastOfLevels(byLevel))}
      <DataTable columns={COLUMNS} rows={byLevel} label="Trials" />
    </>
  );
}

/** A level that was measured several times stands for its last, longest trial. */
function lastOfLevels(trials: readonly CapacityTrial[]): CapacityTrial[] {
  const known = new Map<number, CapacityTrial>();
  for (const each of trials) if (!each.limited) known.set(each.level, each);
  return [...known.values()];
}

function curve(
  { unit, lower, upper }: Capacity,
  trials: readonly CapacityTrial[],
): Markup | undefined {
  if (trials.length < 2) return;
  const name = unit === "vus" ? "VUs" : "requests a second";
  const marks = [
    ...(lower === null ? [] : [{ label: `held: ${lower}`, at: lower }]),
    ...(upper === null ? [] : [{ label: `broke: ${upper}`, at: upper }]),
  ];
  const over = (
    what: string,
    id: string,
    pick: (trial: CapacityTrial) => number | null,
    how: Pick<Parameters<typeof lineChart>[0], "unit" | "text">,
  ) =>
    lineChart({
      id,
      title: `${what} over load`,
      summary: `Against the ${name} that were offered; a point a level.`,
      times: trials.map(({ level }) => level),
      lines: [{ label: what, colour: 0, values: trials.map(pick) }],
      timeText: countText,
      marks,
      ...how,
    });
  return (
    <div class="charts">
      {over("throughput", "chart-capacity-rate", (each) =>
        each.requests_per_second, { unit: "rate", text: rateText })}
      {over("p95", "chart-capacity-p95", (each) =>
        each.p95, {
        unit: "ms",
        text: latencyText,
      })}
    </div>
  );
}

const text = (ms: number | null) => ms === null ? "–" : latencyText(ms);

const COLUMNS: readonly Column<CapacityTrial>[] = [
  {
    title: "level",
    kind: "head",
    narrow: "lead",
    cell: ({ level }) => countText(level),
  },
  {
    title: "requests a second",
    kind: "number",
    cell: (each) => rateText(each.requests_per_second),
  },
  { title: "p50", kind: "number", cell: ({ p50 }) => text(p50) },
  { title: "p95", kind: "number", cell: ({ p95 }) => text(p95) },
  {
    title: "errors",
    kind: "number",
    cell: ({ error_rate }) => shareText(error_rate),
  },
  {
    title: "throttled",
    kind: "number",
    cell: ({ throttle_rate }) => shareText(throttle_rate),
  },
  {
    title: "outcome",
    narrow: "line",
    cell: ({ held, limited, broken }) =>
      limited
        ? <span class="warn">the generator was the limit</span>
        : held
        ? <span class="good">held</span>
        : <span class="bad">broke: {broken.join("; ")}</span>,
  },
];
