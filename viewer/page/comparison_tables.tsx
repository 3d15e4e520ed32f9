import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/markup.ts";
import {
  changeOf,
  type Comparison,
  type Difference,
  type StepDifference,
} from "../model/comparison.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import { rateText } from "./figures.tsx";

/** Differences that few samples stand behind are only named, not judged. */
const FEW = 100;
/** Smaller changes than this, in percent, are called none. */
const SAME = 5;

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
  const runs = figures.find(({ usual }) => usual)?.usual?.runs;
  return (
    <>
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
          { title: "change", cell: change },
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
      {runs !== undefined &&
        (
          <p class="note">
            “as usual” is a change no larger than {runs}{" "}
            other runs of the same flow, target and VUs differ among themselves.
          </p>
        )}
    </>
  );
}

/** Every step of both runs. */
export function stepsComparison(steps: readonly StepDifference[]): Markup {
  const counts = (title: "failed" | "throttled"): Column<StepDifference> => ({
    title,
    kind: "number",
    cell: ({ a, b }) =>
      `${a ? countText(a[title]) : "–"} → ${b ? countText(b[title]) : "–"}`,
  });
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
          title: "change",
          cell: (step) =>
            step.a && step.b
              ? change(p95Of(step))
              : <span class="more">only in {step.a ? "A" : "B"}</span>,
        },
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

/** In words, because a colour alone says nothing: worse, better, or why neither. */
function change(figure: Difference): Markup {
  const percent = changeOf(figure);
  if (percent === undefined) {
    const from = figure.a === 0 && (figure.b ?? 0) > 0;
    return figure.a === figure.b
      ? <span class="more">the same</span>
      : from && figure.worse === "more" && figure.samples >= FEW
      ? (
        <span class="bad">
          from none <span aria-hidden="true">▲</span> worse
        </span>
      )
      : <span class="more">not comparable in percent</span>;
  }
  const sign = `${percent > 0 ? "+" : ""}${Number(percent.toFixed(1))}%`;
  const remark = (text: string) => (
    <>
      {sign} <span class="more">{text}</span>
    </>
  );
  if (figure.worse === "neither") return <>{sign}</>;
  if (Math.abs(percent) < SAME) return remark("about the same");
  if (figure.samples < FEW) return remark("few samples");
  if (usual(figure)) return remark("as usual");
  const worse = (percent > 0) === (figure.worse === "more");
  return (
    <span class={worse ? "bad" : "good"}>
      {sign} <span aria-hidden="true">{percent > 0 ? "▲" : "▼"}</span>{" "}
      {worse ? "worse" : "better"}
    </span>
  );
}

/** Whether other runs differ by as much, with nothing changed. */
function usual({ a, b, usual }: Difference): boolean {
  return usual !== undefined && a !== null && b !== null &&
    Math.abs(b - a) <= usual.high - usual.low;
}

function text({ unit }: Difference, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return latencyText(value);
  if (unit === "share") return shareText(value);
  return unit === "rate" ? rateText(value) : countText(value);
}
