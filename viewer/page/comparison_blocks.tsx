import type { RunMeta } from "../../lib/model/result/run.ts";
import { byEffect, forestOf } from "../chart/forest.tsx";
import { distribution, upTo } from "../chart/latency.tsx";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import type { Comparison } from "../model/comparison.ts";
import {
  figuresTable,
  flowsTable,
  NAME,
  SETTINGS_TITLE,
  settingsTable,
  stepsTable,
  TONES,
} from "./comparison_tables.tsx";
import { timelineOf } from "../model/timeline.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { failureGroups } from "./failure_groups.tsx";
import { type PageBlock, withCode, withContent } from "./parts.tsx";
import type {
  ComparedFigure,
  RunComparison,
} from "../../lib/results/comparison/comparison.ts";
import {
  changeText,
  comparisonSentence,
  figureName,
  methodSentence,
  valueText,
  verdictText,
} from "../../lib/results/formats/comparison_report.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { sentence } from "../model/words.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { readComparable } from "../../lib/results/comparison/evidence.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import { StoreError } from "../../lib/results/store/layout.ts";

/** A run with its files. */
export interface ComparedRun {
  readonly meta: RunMeta;
  readonly run: RunDirectory;
}

/** The blocks of two runs: how B differs from A. */
export async function comparisonBlocks(
  compared: Comparison,
  a: ComparedRun,
  b: ComparedRun,
  /** Off in a report file. */
  link: boolean,
): Promise<{ readonly note?: Markup; readonly blocks: PageBlock[] }> {
  const { figures: certain = [], content, note } = await certainChanges([
    a.run.dir,
    b.run.dir,
  ]);
  const { settings, figures, steps, flows, fresh, gone } = compared;
  const groups = (meta: RunMeta, found: Comparison["gone"]) =>
    found.length === 0 ? undefined : failureGroups(meta, found, link);
  const blocks = withContent([
    { id: "certain", title: "Is B better or worse than A?", content },
    {
      id: "settings",
      title: SETTINGS_TITLE,
      content: settings.length > 0 ? settingsTable(settings) : undefined,
    },
    {
      id: "compared",
      title: "Figures of both",
      content: certain.length === 0
        ? figuresTable(figures, a.meta, b.meta)
        : undefined,
    },
    {
      id: "compared-flows",
      title: "Flows, by the time of an iteration",
      content: flows.length > 0 ? flowsTable(flows) : undefined,
    },
    {
      id: "compared-steps",
      title: "Steps, by the change of p95",
      content: stepsTable(steps, certain),
    },
    {
      id: "compared-time",
      title: "p95 over time",
      content: await p95OverTime(a, b),
    },
    {
      id: "compared-distribution",
      title: "Latency distribution of both",
      content: await latencySpread(a, b),
    },
    {
      id: "fresh",
      title: "New in B: failures and throttles",
      content: groups(b.meta, fresh),
    },
    {
      id: "gone",
      title: "No longer in B: failures and throttles",
      content: groups(a.meta, gone),
    },
  ]);
  return { ...(note && { note }), blocks };
}

/** Both p95 on one clock, which begins where each run did. */
async function p95OverTime(
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
  );
}

async function latencySpread(a: ComparedRun, b: ComparedRun): Promise<Markup> {
  const sets = await Promise.all([a, b].map(({ run }) => run.latencies()));
  return distribution(
    sets.flatMap(({ value }, i) => {
      const { max } = [a, b][i]!.meta.latency;
      return value
        ? [{
          label: "AB"[i]!,
          colour: i,
          latency: upTo(value.response, max),
        }]
        : [];
    }),
  );
}

/** The margins of `bench compare` and `bench duel`. */
const APART = { margin: 0.05 };
const TOGETHER = { margin: 0.02, paired: true };
/** Two runs of a duel begin this close together. */
const AT_ONCE_MS = 500;

/** Changes that are more than chance; a note why, where nothing can be said. */
interface CertainChanges {
  readonly content?: Markup;
  readonly figures?: readonly ComparedFigure[];
  readonly note?: Markup;
}

/** A row a figure: a picture of the change, then its numbers. */
function forestTable({ figures, margin }: RunComparison): Markup {
  const rows = byEffect(figures);
  const picture = forestOf(rows, margin);
  const columns: Column<ComparedFigure>[] = [
    naming(NAME, figureName),
    {
      title: (
        <span class="ends">
          <span aria-hidden="true">← less</span>{" "}
          <span class="hidden">change as a picture</span>{" "}
          <span aria-hidden="true">more →</span>
        </span>
      ),
      label: "",
      narrow: "line",
      cell: picture,
    },
    { title: "change", narrow: "lead", cell: changeText },
    figure("A", (each) => valueText(each, each.base)),
    figure("B", (each) => valueText(each, each.candidate)),
    {
      title: "verdict",
      narrow: "lead",
      cell: (each) => (
        <span class={TONES[each.verdict]}>{verdictText(each)}</span>
      ),
    },
  ];
  return (
    <DataTable
      columns={columns}
      rows={rows}
      label="How sure the differences are"
    />
  );
}

/**
 * Which differences of B to A are more than chance, as `bench compare` says it; or
 * why that cannot be said.
 *
 * @param dirs the run directories of A and B
 */
async function certainChanges(
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
    const content = (
      <>
        <p class={TONES[compared.verdict]}>
          B is {comparisonSentence(compared)}.
        </p>
        {forestTable(compared)}
        <p class="note">
          The band is the margin of {Number((compared.margin * 100).toFixed(1))}
          %, the line the interval; an interval without an end goes on.{" "}
          {sentence(methodSentence(compared))}
        </p>
        {compared.notes.map((note) => <p class="note">{withCode(note)}.</p>)}
      </>
    );
    return { content, figures: compared.figures };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const note = (
      <p class="note">
        Whether B is better or worse cannot be said: {withCode(error.message)}.
      </p>
    );
    return { note };
  }
}

/** Two targets in the same seconds. */
function areDuel(a: RunMeta, b: RunMeta): boolean {
  const apart = Date.parse(a.started_at) - Date.parse(b.started_at);
  return a.target !== b.target && Math.abs(apart) < AT_ONCE_MS;
}
