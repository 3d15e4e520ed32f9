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
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { latencyOrNone, rateText } from "../model/words.ts";

/** How a verdict looks. */
export const TONES: Readonly<Record<ComparisonVerdict, string>> = {
  worse: "bad",
  better: "good",
  same: "note",
  unclear: "note",
};

const NAME = <span class="hidden">name</span>;

const SETTINGS: readonly Column<Comparison["settings"][number]>[] = [
  naming(NAME, ({ name }) => name),
  { title: "run A", cell: ({ a }) => a },
  { title: "run B", cell: ({ b }) => b },
];

/** Settings that are not the same. */
export function settingsTable(settings: Comparison["settings"]): Markup {
  const label = "What the runs were asked to do";
  return <DataTable columns={SETTINGS} rows={settings} label={label} />;
}

const FIGURES: readonly Column<Difference>[] = [
  naming(NAME, ({ name }) => name),
  figure("A", (each) => text(each, each.a)),
  figure("B", (each) => text(each, each.b)),
  figure("change", change),
  figure("rests on", ({ samples, counted }) => plural(samples, counted), {
    narrow: "never",
  }),
];

/** Every figure of both runs with its change. */
export function figuresTable(figures: readonly Difference[]): Markup {
  return <DataTable columns={FIGURES} rows={figures} label="Figures of both" />;
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
  const counts = (title: "failed" | "throttled") =>
    figure<StepDifference>(
      title,
      ({ a, b }) =>
        `${a ? countText(a[title]) : "–"} → ${b ? countText(b[title]) : "–"}`,
    );
  // One step is the whole run.
  const judged = ({ id }: StepDifference) =>
    certain.find(({ metric, step }) =>
      metric === "p95" && (step ?? (steps.length === 1 ? id : "")) === id
    );
  const columns: Column<StepDifference>[] = [
    naming("step", ({ id }) => id),
    figure("p95 of A", ({ a }) => latencyOrNone(a?.latency.p95 ?? null)),
    figure("p95 of B", ({ b }) => latencyOrNone(b?.latency.p95 ?? null)),
    {
      title: "change of p95",
      cell: (step) => {
        const { a, b } = step;
        if (!a || !b) return <span class="more">only in {a ? "A" : "B"}</span>;
        const found = judged(step);
        return found
          ? changeText(found)
          : change({ a: a.latency.p95, b: b.latency.p95 });
      },
    },
    counts("failed"),
    counts("throttled"),
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

/** Without a verdict: that takes knowing what differs anyway. */
function change(figure: Pick<Difference, "a" | "b">): string {
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
