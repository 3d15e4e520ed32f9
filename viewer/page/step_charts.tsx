import type { RunMeta } from "../../lib/model/result/run.ts";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import type { StepStretches } from "../store/stretches.ts";
import { STEP_COLOURS } from "../model/steps.ts";
import { timelineOf } from "../model/timeline.ts";
import { type BlockOptions, secondsOf } from "./over_time.tsx";
import type { RunClock, TimeRange } from "./run_clock.ts";
import { stepOutcomes } from "./step_outcomes.tsx";

/** Every step over time: how long it took, and how its attempts ended. */
export async function stepCharts(
  meta: RunMeta,
  run: RunDirectory,
  { range, address }: BlockOptions,
  clock: RunClock,
): Promise<Markup | undefined> {
  const latencies = stepLatencies(meta, await run.stretches(), range, clock);
  const timeline = timelineOf(await secondsOf(run, range), {
    durationMs: meta.duration_ms,
  });
  const outcomes = stepOutcomes(meta, timeline, clock, address);
  if (!latencies && !outcomes) return;
  return (
    <div class="charts" data-sync="run">
      {latencies}
      {outcomes}
    </div>
  );
}

function stepLatencies(
  meta: RunMeta,
  all: readonly StepStretches[],
  { from = 0, to = Infinity }: TimeRange,
  clock: RunClock,
): Markup | undefined {
  const slowest = all.toSorted((a, b) => highest(b) - highest(a))
    .slice(0, STEP_COLOURS);
  const steps = all.filter((each) => slowest.includes(each));
  const longest = Math.max(0, ...steps.map(({ p95 }) => p95.length));
  const width = steps[0]?.width ?? 1;
  const points = Array.from({ length: longest }, (_, i) => ({ t: i * width }))
    .filter(({ t }) => t >= from && t < to);
  if (points.length < 2) return;
  const ids = meta.steps.map(({ id }) => id);
  const note = all.length > STEP_COLOURS
    ? `The ${STEP_COLOURS} slowest steps. `
    : "";
  return lineChart({
    id: "chart-steps-p95",
    title: "p95 of each step",
    summary: `${note}Response time of passed and failed attempts.`,
    points,
    lines: steps.map(({ id, p95 }): Line<{ t: number }> => [
      id,
      Math.max(0, ids.indexOf(id)) % STEP_COLOURS,
      ({ t }) => p95[t / width] ?? null,
    ]),
    unit: "ms",
    ...clock,
  });
}

function highest({ p95 }: StepStretches): number {
  return p95.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}
