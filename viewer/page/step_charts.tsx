import { isPartOf } from "../../lib/model/metrics.ts";
import { BAD_OUTCOMES } from "../../lib/model/outcome.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/frame.tsx";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { timelineOf, type TimelinePoint } from "../model/timeline.ts";
import { rateText, STEP_COLOURS } from "../model/words.ts";
import {
  type BlockOptions,
  type RunClock,
  secondsOf,
  type TimeRange,
} from "./run_clock.ts";
import { plannedLoad } from "../store/run_facts.ts";
import type { RunDirectory, StepStretches } from "../store/run_directory.ts";
import { sum } from "../../lib/base/values/sum.ts";
import { withQuery } from "./page_request.ts";

import { whilePlanned } from "./run_charts.tsx";
import type { LoadBounds } from "../../lib/model/course.ts";

/** Every step over time: how long it took, and how its attempts ended; of a mix those of each flow too. */
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
  const planned = await plannedLoad(run);
  const outcomes = (of: OutcomeChart["of"], counted: readonly Counted[]) =>
    outcomeChart(meta, {
      ...{ of, counted, clock, planned, address },
      points: timeline.points,
    });
  const steps = outcomes("step", eachStep(meta));
  if (!latencies && !steps) return;
  return (
    <div class="charts" data-sync="run">
      {latencies}
      {steps}
      {outcomes("flow", eachFlow(meta))}
    </div>
  );
}

function stepLatencies(
  meta: RunMeta,
  all: readonly StepStretches[],
  { from = 0, to = Infinity }: TimeRange,
  clock: RunClock,
): Markup | undefined {
  const slowest = all.toSorted((a, b) => highestP95(b) - highestP95(a))
    .slice(0, STEP_COLOURS);
  const steps = all.filter((each) => slowest.includes(each));
  const longest = Math.max(0, ...steps.map(({ p95 }) => p95.length));
  const width = steps[0]?.width ?? 1;
  const ends = meta.duration_ms / 1_000;
  // As with the other charts, a short remainder is no point of its own.
  const isWhole = (t: number) => longest < 2 || ends - t >= width / 2;
  const points = Array.from({ length: longest }, (_, i) => ({ t: i * width }))
    .filter(({ t }) => t >= from && t < to && isWhole(t));
  if (points.length < 2) return;
  const ids = meta.steps.map(({ id }) => id);
  const colours = coloursOf(steps.map(({ id }) => ids.indexOf(id)));
  const note = all.length > STEP_COLOURS
    ? `The ${STEP_COLOURS} slowest steps. `
    : "";
  return lineChart({
    id: "chart-steps-p95",
    title: "p95 of each step",
    summary: `${note}Response time of passed and failed attempts.`,
    points,
    lines: steps.map(({ id, p95 }, line): Line<{ t: number }> => [
      id,
      colours[line]!,
      ({ t }) => p95[t / width] ?? null,
    ]),
    unit: "ms",
    ...clock,
  });
}

/** A colour for each line: that of the step everywhere, unless another line has it. */
function coloursOf(indices: readonly number[]): number[] {
  const taken = new Set<number>();
  return indices.map((index) => {
    let colour = Math.max(0, index) % STEP_COLOURS;
    while (taken.has(colour)) colour = (colour + 1) % STEP_COLOURS;
    taken.add(colour);
    return colour;
  });
}

function highestP95({ p95 }: StepStretches): number {
  return p95.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}

/** The choices of `?steps=`: a title, and which counts of a step's attempts are added up. */
const MEASURES = {
  all: { title: "Attempts", counts: [1, 2, 3] },
  passed: { title: "Passed attempts", counts: [1] },
  throttled: { title: "Throttled attempts", counts: [2] },
  failed: { title: "Failed attempts", counts: [3] },
} as const;
type Measure = keyof typeof MEASURES;

/** A line of the chart: a step, or a flow of a mix with its steps. */
interface Counted {
  readonly label: string;
  /** Of its colour. */
  readonly index: number;
  readonly steps: ReadonlySet<number>;
}

/** Every step by itself. */
function eachStep({ steps }: RunMeta): Counted[] {
  return steps.map(({ id }, index) => ({
    label: id,
    index,
    steps: new Set([index]),
  }));
}

/** Every flow of a mix, whose steps are called by it; none of a flow by itself. */
function eachFlow({ flows = [], steps }: RunMeta): Counted[] {
  return flows.map(({ name }, index) => ({
    label: name,
    index,
    steps: new Set(
      steps.flatMap(({ id }, at) => isPartOf(id, name) ? [at] : []),
    ),
  }));
}

/** How often attempts passed, were throttled and failed, a second, by step or by flow. */
interface OutcomeChart {
  readonly of: "step" | "flow";
  readonly counted: readonly Counted[];
  readonly points: readonly TimelinePoint[];
  readonly clock: RunClock;
  readonly planned: LoadBounds;
  /** Of the page, whose query chooses what is drawn. */
  readonly address: URL | undefined;
}

/** Undefined where nothing of it is stored. */
function outcomeChart(
  meta: RunMeta,
  { of, counted, points, clock, planned, address }: OutcomeChart,
): Markup | undefined {
  const measure = measureOf(meta, address);
  const { title, counts } = MEASURES[measure];
  const all = counted.filter(({ steps }) =>
    points.some((point) => point.steps.some(([step]) => steps.has(step)))
  ).map((each) => {
    const values = points.map((point) => countOf(point, each.steps, counts));
    return { ...each, values, highest: Math.max(...values) };
  });
  if (points.length < 2 || all.length === 0) return;
  const most = all.toSorted((a, b) => b.highest - a.highest);
  // A line that has none is left out, unless no line has any.
  const some = most.filter(({ highest }) => highest > 0);
  const shown = new Set((some.length > 0 ? some : most).slice(0, STEP_COLOURS));
  const lines = all.filter((each) => shown.has(each));
  const colours = coloursOf(lines.map(({ index }) => index));
  const note = some.length > STEP_COLOURS
    ? ` The ${STEP_COLOURS} ${of}s with the most.`
    : "";
  const id = `chart-${of}s-outcomes`;
  return lineChart({
    id,
    title: `${title} of each ${of}`,
    summary: `A second. ${peakText(most[0]!, points)}${note}`,
    ...(address && { more: measureLinks(measure, address, id) }),
    points,
    lines: lines.map(({ label, steps }, line) =>
      whilePlanned<TimelinePoint>(planned, points, [
        label,
        colours[line]!,
        (point) => countOf(point, steps, counts),
      ])
    ),
    unit: "rate",
    ...clock,
  });
}

/** The choice of the address; without one, the worst outcome that there is. */
function measureOf({ steps }: RunMeta, address: URL | undefined): Measure {
  const asked = address?.searchParams.get("steps") ?? "";
  if (Object.hasOwn(MEASURES, asked)) return asked as Measure;
  return BAD_OUTCOMES.find((outcome) =>
    steps.some(({ attempts }) => attempts[outcome] > 0)
  ) ?? "all";
}

function measureLinks(chosen: Measure, address: URL, id: string): Markup {
  return (
    <span class="choice">
      {(Object.keys(MEASURES) as Measure[]).map((each) => (
        <>
          {" "}
          <a
            href={`${withQuery(address, { steps: each })}#${id}`}
            aria-current={each === chosen ? "true" : undefined}
          >
            {each}
          </a>
        </>
      ))}
    </span>
  );
}

function countOf(
  point: TimelinePoint,
  steps: ReadonlySet<number>,
  counts: readonly (1 | 2 | 3)[],
): number {
  const some = point.steps.filter(([step]) => steps.has(step));
  return sum(some, (step) => sum(counts, (each) => step[each]));
}

/** Where the highest line is highest, in words. */
function peakText(
  { label, values, highest }: {
    readonly label: string;
    readonly values: readonly number[];
    readonly highest: number;
  },
  points: readonly TimelinePoint[],
): string {
  if (highest === 0) return "There were none.";
  const { t } = points[values.indexOf(highest)]!;
  return `Most of ${label}: ${rateText(highest)} at ${timeText(t)}.`;
}
