import { BAD_OUTCOMES, type BadOutcome } from "../../lib/model/outcome.ts";
import type {
  ComparedFigure,
  ComparisonVerdict,
} from "../../lib/results/comparison/comparison.ts";
import {
  changeText,
  verdictText,
} from "../../lib/results/formats/comparison_report.ts";
import { iterationTimeCell } from "../../lib/results/formats/step_tables.ts";
import type { FlowSummary, RunMeta } from "../../lib/model/result/run.ts";
import { isTooFew, isTooFewOf } from "../../lib/results/report/sample_sizes.ts";
import {
  countText,
  plural,
  rateOf,
  shareText,
} from "../../lib/results/report/figures.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  changeOf,
  type Comparison,
  type Difference,
  type FlowDifference,
  type StepDifference,
} from "../model/comparison.ts";
import {
  figureOrNone,
  knownP95,
  ofSamples,
  rateText,
  shareOrNone,
} from "../model/words.ts";

/** How a verdict looks. */
export const TONES: Readonly<Record<ComparisonVerdict, string>> = {
  worse: "bad",
  better: "good",
  same: "note",
  unclear: "note",
};

/** Heads the column of names where the names need no head to be understood. */
export const NAME = <span class="hidden">name</span>;

const SETTINGS: readonly Column<Comparison["settings"][number]>[] = [
  naming(NAME, ({ name }) => name),
  { title: "run A", cell: ({ a }) => a },
  { title: "run B", cell: ({ b }) => b },
];

export const SETTINGS_TITLE = "What the runs were asked to do";

/** The settings of the runs, as far as they differ. */
export function settingsTable(settings: Comparison["settings"]): Markup {
  return (
    <DataTable
      columns={SETTINGS}
      rows={settings}
      label={SETTINGS_TITLE}
    />
  );
}

/** The figures of both, without a verdict. */
export function figuresTable(
  figures: readonly Difference[],
  a: RunMeta,
  b: RunMeta,
): Markup {
  const isKnown = ({ name }: Difference) =>
    [a, b].every((run) => !isTooFew(name, run.latency_intervals));
  const columns: Column<Difference>[] = [
    naming(NAME, ({ name }) => name),
    figure("A", (each) => differenceText(each, each.a, a)),
    figure("B", (each) => differenceText(each, each.b, b)),
    figure("change", (each) => isKnown(each) ? changeOfText(each) : ""),
    figure("rests on", ({ samples, counted }) => plural(samples, counted), {
      narrow: "never",
    }),
  ];
  return <DataTable columns={columns} rows={figures} label="Figures of both" />;
}

/**
 * Every step of both runs.
 *
 * @param certain what is sure of them
 */
export function stepsTable(
  steps: readonly StepDifference[],
  certain: readonly ComparedFigure[],
): Markup {
  const counts = (title: BadOutcome) =>
    figure<StepDifference>(
      title,
      (each) => ofBoth(each, (step) => countText(step[title])),
    );
  // One step is the whole run.
  const judged = ({ id }: StepDifference) =>
    certain.find(({ metric, step }) =>
      metric === "p95" && (step ?? (steps.length === 1 ? id : "")) === id
    );
  const columns: Column<StepDifference>[] = [
    naming("step", ({ id }) => id),
    figure("p95 of A", ({ a }) => a ? figureOrNone("p95", a) : "–"),
    figure("p95 of B", ({ b }) => b ? figureOrNone("p95", b) : "–"),
    {
      title: "change of p95",
      cell: (step) => {
        const { a, b } = step;
        if (!a || !b) return <span class="more">only in {a ? "A" : "B"}</span>;
        const found = judged(step);
        return found
          ? changeText(found)
          : changeOfText({ a: knownP95(a), b: knownP95(b) });
      },
    },
    ...BAD_OUTCOMES.map(counts),
  ];
  const verdict: Column<StepDifference> = {
    title: "verdict",
    cell: (step) => {
      const found = judged(step);
      return found &&
        <span class={TONES[found.verdict]}>{verdictText(found)}</span>;
    },
  };
  if (certain.length > 0) columns.splice(4, 0, verdict);
  return <DataTable columns={columns} rows={steps} label="Steps of both" />;
}

const FLOWS: readonly Column<FlowDifference>[] = [
  naming("flow", ({ name }) => name),
  figure(
    "iterations",
    (each) => ofBoth(each, ({ iterations }) => countText(iterations.completed)),
  ),
  figure(
    "error_rate",
    (each) => ofBoth(each, (flow) => shareOrNone(rateOf(flow, "error_rate"))),
  ),
  figure(
    "throttle_rate",
    (each) =>
      ofBoth(each, (flow) => shareOrNone(rateOf(flow, "throttle_rate"))),
  ),
  ...(["p50", "p95"] as const).map((stat) =>
    figure<FlowDifference>(
      stat,
      (each) => ofBoth(each, (flow) => iterationTimeCell(stat, flow)),
    )
  ),
  figure(
    "change of p95",
    ({ a, b }) =>
      a && b
        ? changeOfText({ a: knownTime(a), b: knownTime(b) })
        : `only in ${a ? "A" : "B"}`,
  ),
];

/** The p95 of its iterations; null where there are too few of them. */
function knownTime({ iterations, iteration_time }: FlowSummary): number | null {
  return isTooFewOf("p95", iterations.completed) ? null : iteration_time.p95;
}

/** The flows of mixes, side by side. */
export function flowsTable(flows: readonly FlowDifference[]): Markup {
  return <DataTable columns={FLOWS} rows={flows} label="Flows of both" />;
}

/** `12 → 13`. */
function ofBoth<Side>(
  { a, b }: { readonly a?: Side; readonly b?: Side },
  text: (side: Side) => string,
): string {
  return [a, b].map((each) => each ? text(each) : "–").join(" → ");
}

/** Without a verdict: that takes knowing what differs anyway. */
function changeOfText(
  { a, b, unit }: Pick<Difference, "a" | "b"> & Partial<Difference>,
): string {
  if (a === null || b === null) return "";
  if (a === 0 && b === 0) return "the same";
  const percent = changeOf({ a, b });
  // Of 1% another 1% is no `+100%`, and of nothing there is no percentage.
  const [change, shown] = unit === "share"
    ? [Number(((b - a) * 100).toFixed(2)), " points"]
    : [percent === undefined ? undefined : percentOf(percent), "%"];
  if (change === undefined) return "";
  return change === 0 ? "0%" : `${change > 0 ? "+" : ""}${change}${shown}`;
}

/** A change to one digit; `-100` only where nothing is left. */
function percentOf(change: number): number {
  const shown = Number(change.toFixed(1));
  return shown <= -100 && change > -100 ? -99.9 : shown;
}

function differenceText(
  { name, unit }: Difference,
  value: number | null,
  { latency_intervals }: RunMeta,
): string {
  if (value === null) return "–";
  if (unit === "ms") return ofSamples(name, value, latency_intervals);
  if (unit === "share") return shareText(value);
  return unit === "rate" ? rateText(value) : countText(value);
}
