import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type {
  ComparedFigure,
  ComparisonVerdict,
} from "../../lib/results/comparison/comparison.ts";
import {
  changeText,
  verdictText,
} from "../../lib/results/formats/comparison_words.ts";
import type { Markup } from "../markup/markup.ts";
import {
  changeOf,
  type Comparison,
  type Difference,
  type StepDifference,
} from "../model/comparison.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import { rateText } from "./figures.tsx";

/** How a verdict looks. */
export const TONES: Readonly<Record<ComparisonVerdict, string>> = {
  worse: "bad",
  better: "good",
  same: "note",
  unclear: "note",
};

/** Settings that are not the same. */
export function settingsTable(settings: Comparison["settings"]): Markup {
  return (
    <DataTable
      columns={[
        {
          title: <span class="hidden">name</span>,
          kind: "head",
          narrow: "lead",
          cell: ({ name }) => name,
        },
        { title: "run A", cell: ({ a }) => a },
        { title: "run B", cell: ({ b }) => b },
      ]}
      rows={settings}
      label="What the runs were asked to do"
    />
  );
}

/** Every figure of both runs with its change. */
export function figuresTable(figures: readonly Difference[]): Markup {
  return (
    <DataTable
      columns={[
        {
          title: <span class="hidden">name</span>,
          kind: "head",
          narrow: "lead",
          cell: ({ name }) => name,
        },
        { title: "A", kind: "number", cell: (each) => text(each, each.a) },
        { title: "B", kind: "number", cell: (each) => text(each, each.b) },
        { title: "change", kind: "number", cell: change },
        {
          title: "rests on",
          kind: "number",
          narrow: "never",
          cell: ({ samples, counted }) => plural(samples, counted),
        },
      ]}
      rows={figures}
      label="Figures of both"
    />
  );
}

/**
 * Every step of both runs.
 *
 * @param certain what is sure of them
 */
export function stepsComparison(
  steps: readonly StepDifference[],
  certain: readonly ComparedFigure[],
): Markup {
  const counts = (title: "failed" | "throttled"): Column<StepDifference> => ({
    title,
    kind: "number",
    cell: ({ a, b }) =>
      `${a ? countText(a[title]) : "–"} → ${b ? countText(b[title]) : "–"}`,
  });
  // One step is the whole run.
  const judged = ({ id }: StepDifference) =>
    certain.find(({ metric, step }) =>
      metric === "p95" && (step ?? (steps.length === 1 ? id : "")) === id
    );
  return (
    <DataTable
      columns={[
        { title: "step", kind: "head", narrow: "lead", cell: ({ id }) => id },
        {
          title: "p95 of A",
          kind: "number",
          cell: (step) => text(p95Of(step), p95Of(step).a),
        },
        {
          title: "p95 of B",
          kind: "number",
          cell: (step) => text(p95Of(step), p95Of(step).b),
        },
        {
          title: "change of p95",
          cell: (step) => {
            if (!step.a || !step.b) {
              return <span class="more">only in {step.a ? "A" : "B"}</span>;
            }
            const figure = judged(step);
            return figure ? changeText(figure) : change(p95Of(step));
          },
        },
        ...certain.length === 0 ? [] : [{
          title: "verdict",
          cell: (step: StepDifference) => {
            const figure = judged(step);
            return figure
              ? <span class={TONES[figure.verdict]}>{verdictText(figure)}</span>
              : undefined;
          },
        }],
        counts("failed"),
        counts("throttled"),
      ]}
      rows={steps}
      label="Steps of both"
    />
  );
}

function p95Of({ id, a, b }: StepDifference): Difference {
  const samples = (step: StepDifference["a"]) =>
    step ? step.attempts.passed + step.attempts.failed : 0;
  const p95 = (step: StepDifference["a"]) => step ? step.latency.p95 : null;
  return {
    name: id,
    unit: "ms",
    a: p95(a),
    b: p95(b),
    worse: "more",
    samples: Math.min(samples(a), samples(b)),
    counted: "sample",
  };
}

/** Without a verdict: that takes knowing what differs anyway. */
function change(figure: Difference): string {
  const percent = changeOf(figure);
  if (percent !== undefined) {
    return `${percent > 0 ? "+" : ""}${Number(percent.toFixed(1))}%`;
  }
  return figure.a !== null && figure.a === figure.b ? "the same" : "";
}

function text({ unit }: Difference, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return latencyText(value);
  if (unit === "share") return shareText(value);
  return unit === "rate" ? rateText(value) : countText(value);
}
