import type { RunMeta } from "../../lib/model/result/run.ts";
import { distribution } from "../chart/latency.tsx";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  changeOf,
  type Comparison,
  type Difference,
  type StepDifference,
} from "../model/comparison.ts";
import { timelineOf } from "../model/timeline.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { failureGroups } from "./failures_page.tsx";
import { Block } from "./parts.tsx";
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
  comparisonSentence,
  figureName,
  methodSentence,
  valueText,
  verdictText,
} from "../../lib/results/formats/comparison_words.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { latencyOrNone, rateText } from "../model/words.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { readComparable } from "../../lib/results/comparison/comparable.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";

/** A run with its files. */
export interface ComparedRun {
  readonly meta: RunMeta;
  readonly run: RunDirectory;
}

/** What sets two runs apart. */
export async function comparisonBlocks(
  compared: Comparison,
  a: ComparedRun,
  b: ComparedRun,
  /** Off in a report file. */
  link: boolean,
): Promise<Markup> {
  const certain = await certainChanges([a.run.dir, b.run.dir]);
  const { settings, figures, steps, fresh, gone } = compared;
  return (
    <>
      {certain.markup}
      {settings.length > 0 &&
        (
          <Block id="settings" title="What the runs were asked to do">
            {settingsTable(settings)}
          </Block>
        )}
      {certain.figures.length === 0 && (
        <Block id="compared" title="Figures of both">
          {figuresTable(figures)}
        </Block>
      )}
      <Block id="compared-steps" title="Steps, by the change of p95">
        {stepsComparison(steps, certain.figures)}
      </Block>
      {await overTime(a, b)}
      {await spread(a, b)}
      {groups("fresh", "New in B", b.meta, fresh, link)}
      {groups("gone", "No longer in B", a.meta, gone, link)}
    </>
  );
}

/** Both p95 on one clock, which begins where each run did. */
async function overTime(
  a: ComparedRun,
  b: ComparedRun,
): Promise<Markup | undefined> {
  const all = await Promise.all([a, b].map(({ run }) => run.series()));
  const seconds = all.map(({ value = [] }) => value);
  const longest = Math.max(...seconds.map((points) => points.length));
  if (seconds.some((points) => points.length < 2)) return;
  const width = Math.ceil(longest / 600);
  const timelines = seconds.map((points, i) =>
    timelineOf(points, { width, durationMs: [a, b][i]!.meta.duration_ms })
  );
  const lines = timelines.map(({ points }, i): Line<{ t: number }> => {
    const known = new Map(points.map(({ t, p95 }) => [t, p95]));
    return [`p95 of ${"AB"[i]}`, i, ({ t }) => known.get(t) ?? null];
  });
  return (
    <Block id="compared-time" title="p95 over time">
      <div class="charts" data-sync="run">
        {lineChart({
          id: "chart-compared",
          title: "p95",
          summary: "Each run from its own start.",
          points: Array.from(
            { length: Math.ceil(longest / width) },
            (_, i) => ({ t: i * width }),
          ),
          lines,
          unit: "ms",
        })}
      </div>
    </Block>
  );
}

async function spread(a: ComparedRun, b: ComparedRun): Promise<Markup> {
  const sets = await Promise.all([a, b].map(({ run }) => run.latencies()));
  return (
    <Block id="compared-distribution" title="Latency distribution of both">
      {distribution(
        sets.flatMap(({ value }, i) =>
          value ? [{ label: "AB"[i]!, colour: i, latency: value.response }] : []
        ),
      )}
    </Block>
  );
}

function groups(
  id: string,
  title: string,
  meta: RunMeta,
  found: Comparison["gone"],
  link: boolean,
): Markup | undefined {
  if (found.length === 0) return;
  return (
    <Block id={id} title={`${title}: failures and throttles`}>
      {failureGroups(meta, found, link)}
    </Block>
  );
}

/** How a verdict looks. */
const TONES: Readonly<Record<ComparisonVerdict, string>> = {
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
function settingsTable(settings: Comparison["settings"]): Markup {
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
function figuresTable(figures: readonly Difference[]): Markup {
  return <DataTable columns={FIGURES} rows={figures} label="Figures of both" />;
}

/**
 * Every step of both runs.
 *
 * @param certain what is sure of them
 */
function stepsComparison(
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

/** Those of `bench compare` and `bench duel`. */
const APART = { margin: 0.05 };
const TOGETHER = { margin: 0.02, paired: true };
/** Two runs of a duel begin this close together. */
const AT_ONCE_MS = 500;

/** What is sure of two runs. */
interface CertainChanges {
  readonly markup: Markup;
  /** None when only why not is said. */
  readonly figures: readonly ComparedFigure[];
}

const COLUMNS: readonly Column<ComparedFigure>[] = [
  naming("", figureName),
  figure("A", (each) => valueText(each, each.base)),
  figure("B", (each) => valueText(each, each.candidate)),
  { title: "change", cell: changeText },
  {
    title: "verdict",
    cell: (each) => <span class={TONES[each.verdict]}>{verdictText(each)}
    </span>,
  },
];

/**
 * Which differences of B to A are more than chance, as `bench compare` says it; or
 * why that cannot be said.
 *
 * @param dirs the run directories of A and B
 */
export async function certainChanges(
  dirs: readonly [a: string, b: string],
): Promise<CertainChanges> {
  const [a, b] = dirs;
  try {
    const allowed = { targets: true };
    const now = systemClock.wall();
    const { candidate, bases } = await readComparable(b, [a], now, allowed);
    const compared = compareRuns(
      candidate,
      bases,
      areDuel(candidate.meta, bases[0]!.meta) ? TOGETHER : APART,
    );
    const markup = (
      <Block id="certain" title="Is B better or worse than A?">
        <p class={TONES[compared.verdict]}>
          B is {comparisonSentence(compared)}.
        </p>
        <DataTable
          columns={COLUMNS}
          rows={compared.figures}
          label="How sure the differences are"
        />
        <p class="note">{methodSentence(compared)}.</p>
        {compared.notes.map((note) => <p class="note">{note}.</p>)}
      </Block>
    );
    return { markup, figures: compared.figures };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const markup = (
      <p class="note">
        Whether B is better or worse cannot be said: {error.message}.
      </p>
    );
    return { markup, figures: [] };
  }
}

/** Two targets in the same seconds. */
function areDuel(a: RunMeta, b: RunMeta): boolean {
  const apart = Date.parse(a.started_at) - Date.parse(b.started_at);
  return a.target !== b.target && Math.abs(apart) < AT_ONCE_MS;
}
