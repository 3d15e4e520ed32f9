import type { RunMeta } from "../../lib/model/result/run.ts";
import { distribution } from "../chart/distribution.tsx";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import type { Comparison } from "../model/comparison.ts";
import { timelineOf } from "../model/timeline.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { certainChanges } from "./certain_changes.tsx";
import {
  figuresTable,
  settingsTable,
  stepsComparison,
} from "./comparison_tables.tsx";
import { failureGroups } from "./failure_groups.tsx";
import { Block } from "./parts.tsx";

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
