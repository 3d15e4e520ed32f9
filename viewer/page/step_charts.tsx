import { latencyText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import type { StepStretches } from "../store/step_stretches.ts";
import { rateText } from "./figures.tsx";
import type { RunClock, TimeRange } from "./run_clock.ts";

/** Lines that can be distinguished; the slowest steps have them. */
const MOST = 6;

/** Every step over time: how long it took, and how often it was done. */
export async function stepCharts(
  meta: RunMeta,
  run: RunDirectory,
  { from = 0, to = Infinity }: TimeRange,
  clock: RunClock,
): Promise<Markup | undefined> {
  const all = await run.stretches();
  const slowest = all.toSorted((a, b) => highest(b) - highest(a)).slice(
    0,
    MOST,
  );
  const steps = all.filter((each) => slowest.includes(each));
  const longest = Math.max(0, ...steps.map(({ p95 }) => p95.length));
  const width = steps[0]?.width ?? 1;
  const times = Array.from({ length: longest }, (_, i) => i * width)
    .filter((t) => t >= from && t < to);
  if (times.length < 2) return;
  const ids = meta.steps.map(({ id }) => id);
  const lines = (pick: (step: StepStretches, i: number) => number | null) =>
    steps.map((step) => ({
      label: step.id,
      colour: Math.max(0, ids.indexOf(step.id)) % MOST,
      values: times.map((t) => pick(step, t / width)),
    }));
  const note = all.length > MOST ? `The ${MOST} slowest steps. ` : "";
  return (
    <div class="charts" data-sync="run">
      {lineChart({
        id: "chart-steps-p95",
        title: "p95 of each step",
        summary: `${note}Response time of passed and failed attempts.`,
        times,
        lines: lines(({ p95 }, i) => p95[i] ?? null),
        unit: "ms",
        text: latencyText,
        ...clock,
      })}
      {lineChart({
        id: "chart-steps-rate",
        title: "Attempts of each step",
        summary: `${note}Passed and failed ones that ended, a second.`,
        times,
        lines: lines(({ rate }, i) => rate[i] ?? 0),
        unit: "rate",
        text: rateText,
        ...clock,
      })}
    </div>
  );
}

function highest({ p95 }: StepStretches): number {
  return p95.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}
