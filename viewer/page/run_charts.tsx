import { highestIn, type LoadBounds, unitsBy } from "../../lib/model/course.ts";
import { BAD_OUTCOMES } from "../../lib/model/outcome.ts";
import { latencyText, shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/frame.tsx";
import {
  type Line,
  type LineChart,
  lineChart,
  OUTCOME_COLOURS,
} from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  type Timeline,
  timelineOf,
  type TimelinePoint,
} from "../model/timeline.ts";
import { averageText, rateText, STEP_COLOURS } from "../model/words.ts";
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

/** Fewer points than this are no line. */
const FEW = 2;

/** Options of the charts. */
interface ChartOptions {
  /** Powers of ten up the side of the latency chart. */
  readonly log?: boolean;
  readonly planned?: LoadBounds;
  /** Of the same page with the other scale. */
  readonly scaleAddress?: string;
  readonly clock: RunClock;
  /** Charts of the target's machine. */
  readonly machine?: readonly Markup[];
}

type Points = readonly TimelinePoint[];
type Chart = Omit<LineChart<TimelinePoint>, "points" | keyof RunClock>;

/** The charts of a run and its target, one under the other on one clock. */
export function runCharts(
  meta: RunMeta,
  { points, width }: Timeline,
  options: ChartOptions,
): Markup {
  if (points.length < FEW) {
    return (
      <p class="empty">
        The run was too short for a time series; its figures are above, its
        distribution below.
      </p>
    );
  }
  const drawn = (chart: Chart | undefined) =>
    chart && lineChart({ ...chart, points, ...options.clock });
  return (
    <>
      {width > 1 &&
        (
          <p class="note">
            Each point is {width}{" "}
            s. Percentiles of merged seconds come from their added counts and
            are right within 9 %.
          </p>
        )}
      <div class="charts stacked" data-sync="run">
        {drawn(loadChart(points, { ...options, width }))}
        {drawn(latencyChart(meta, points, options))}
        {drawn(ratesChart(meta))}
        {drawn(usersChart(points, { ...options, width }))}
        {options.machine}
        {drawn(generatorChart(meta, points, options))}
      </div>
    </>
  );
}

function latencyChart(
  { thresholds }: RunMeta,
  points: Points,
  { log = false, scaleAddress }: ChartOptions,
): Chart {
  const p95: Line<TimelinePoint> = ["p95", 1, (point) => point.p95];
  const limits = thresholds.filter(({ metric }) => metric === "latency")
    .map(({ expression, limit }) => ({ label: expression, at: limit }));
  return {
    id: "chart-latency",
    title: "Latency",
    summary: movementText("p95", p95, points, latencyText),
    lines: [["p50", 0, ({ p50 }) => p50], p95, ["p99", 3, ({ p99 }) => p99]],
    unit: "ms",
    log,
    ...(scaleAddress !== undefined && {
      more: <a href={scaleAddress}>{log ? "even" : "logarithmic"} scale</a>,
    }),
    limits,
  };
}

/**
 * The values until the plan's end. What follows only finishes what was begun: a
 * rate of it is none of the load.
 */
export function whilePlanned<Point extends { readonly t: number }>(
  { endMs = Infinity, warmUpMs = 0 }: LoadBounds,
  [label, colour, of]: Line<Point>,
): Line<Point> {
  const end = (endMs - warmUpMs) / 1_000;
  return [label, colour, (point) => point.t < end ? of(point) : null];
}

/** Seconds of a point. */
type PointWidth = { readonly width: number };

function loadChart(
  points: Points,
  { planned = {}, width }:
    & ChartOptions
    & PointWidth,
): Chart {
  const { rate: offered, endMs = Infinity, warmUpMs = 0 } = planned;
  const rate = whilePlanned<TimelinePoint>(planned, [
    "requests ended, a second",
    0,
    (point) => point.rate,
  ]);
  return {
    id: "chart-load",
    title: "Load",
    summary: movementText("The rate", rate, points, rateText),
    lines: offered === undefined
      ? [rate]
      : [rate, ["offered, a second", 4, ({ t }) => {
        const from = t * 1_000 + warmUpMs;
        const to = Math.min(from + width * 1_000, endMs);
        const units = unitsBy(offered, to) - unitsBy(offered, from);
        return from < to ? units / (to - from) * 1_000 : null;
      }]],
    unit: "rate",
  };
}

function usersChart(
  points: Points,
  { planned: asked = {}, width }: ChartOptions & PointWidth,
): Chart {
  const { vus: course, endMs = Infinity, warmUpMs = 0 } = asked;
  const vus: Line<TimelinePoint> = ["virtual users", 4, (point) => point.vus];
  const planned: Line<TimelinePoint> = [
    "planned",
    2,
    ({ t }) => {
      const from = t * 1_000 + warmUpMs;
      return from < endMs
        ? highestIn(course!, from, from + width * 1_000)
        : null;
    },
  ];
  return {
    id: "chart-vus",
    title: "Virtual users",
    summary: movementText("The number", vus, points, averageText),
    lines: course ? [planned, vus] : [vus],
    unit: "count",
  };
}

function ratesChart({ error_rate, throttle_rate }: RunMeta): Chart {
  return {
    id: "chart-rates",
    title: "Errors and throttles",
    summary: `error_rate ${shareText(error_rate)} and throttle_rate ${
      shareText(throttle_rate)
    } over the whole run.`,
    lines: [
      ["error_rate", OUTCOME_COLOURS.failed, (point) => point.error_rate],
      [
        "throttle_rate",
        OUTCOME_COLOURS.throttled,
        (point) => point.throttle_rate,
      ],
    ],
    unit: "share",
  };
}

function generatorChart(
  { generator }: RunMeta,
  points: Points,
  { planned = {} }: ChartOptions,
): Chart | undefined {
  const cpu: Line<TimelinePoint> = [
    "share of its CPU",
    2,
    (point) => point.cpu_share,
  ];
  const waiting: Line<TimelinePoint> = [
    "waiting for a core",
    1,
    (point) => point.core_wait_share,
  ];
  const isKnown = ([, , of]: Line<TimelinePoint>) =>
    points.some((point) => of(point) !== null);
  if (!isKnown(cpu)) return;
  return {
    id: "chart-generator",
    title: "The generator itself",
    summary: generator?.detail ?? "How the load generator was doing.",
    lines: [cpu, waiting].filter(isKnown)
      .map((line) => whilePlanned(planned, line)),
    unit: "share",
    ...(generator?.limited && { limits: [{ label: "its limit", at: 0.9 }] }),
  };
}

/** The line in words: where it began, ended, and was highest. */
function movementText(
  name: string,
  [, , of]: Line<TimelinePoint>,
  points: Points,
  text: (value: number) => string,
): string {
  const known = points.flatMap((point) => {
    const value = of(point);
    return value === null ? [] : [{ value, t: point.t }];
  });
  if (known.length === 0) return `${name} has no samples.`;
  const highest = known.reduce((a, b) => (b.value > a.value ? b : a));
  return `${name} began at ${text(known[0]!.value)}, ended at ${
    text(known.at(-1)!.value)
  }, and was highest, ${text(highest.value)}, at ${timeText(highest.t)}.`;
}

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
  const planned = await plannedLoad(run);
  const outcomes = stepOutcomes(meta, timeline, { clock, planned }, address);
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
  const slowest = all.toSorted((a, b) => highestP95(b) - highestP95(a))
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

function highestP95({ p95 }: StepStretches): number {
  return p95.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
}

/** The choices of `?steps=`: a title, and which counts of a step's attempts are added up. */
const MEASURES = {
  all: { title: "Attempts of each step", counts: [1, 2, 3] },
  passed: { title: "Passed attempts of each step", counts: [1] },
  throttled: { title: "Throttled attempts of each step", counts: [2] },
  failed: { title: "Failed attempts of each step", counts: [3] },
} as const;
type Measure = keyof typeof MEASURES;

/**
 * How often the attempts of each step passed, were throttled and failed, a
 * second; undefined where nothing of it is stored.
 *
 * @param address of the page, whose query chooses what is drawn
 */
function stepOutcomes(
  meta: RunMeta,
  { points }: Timeline,
  { clock, planned = {} }: ChartOptions,
  address?: URL,
): Markup | undefined {
  const measure = measureOf(meta, address);
  const { title, counts } = MEASURES[measure];
  const all = meta.steps.map(({ id }, index) => {
    const values = points.map((point) => countOf(point, index, counts));
    return { label: id, index, values, highest: Math.max(...values) };
  }).filter((_, index) =>
    points.some(({ steps }) => steps.some(([step]) => step === index))
  );
  if (points.length < 2 || all.length === 0) return;
  const most = all.toSorted((a, b) => b.highest - a.highest);
  // A step that has none has no line, unless no step has any.
  const some = most.filter(({ highest }) => highest > 0);
  const shown = new Set((some.length > 0 ? some : most).slice(0, STEP_COLOURS));
  const note = some.length > STEP_COLOURS
    ? ` The ${STEP_COLOURS} steps with the most.`
    : "";
  return lineChart({
    id: "chart-steps-outcomes",
    title,
    summary: `A second. ${peakText(most[0]!, points)}${note}`,
    ...(address && { more: measureLinks(measure, address) }),
    points,
    lines: all.filter((each) => shown.has(each))
      .map(({ label, index }) =>
        whilePlanned<TimelinePoint>(planned, [
          label,
          index % STEP_COLOURS,
          (point) => countOf(point, index, counts),
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

function measureLinks(chosen: Measure, address: URL): Markup {
  return (
    <span class="choice">
      {(Object.keys(MEASURES) as Measure[]).map((each) => (
        <>
          {" "}
          <a
            href={`${withQuery(address, { steps: each })}#chart-steps-outcomes`}
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
  { steps }: TimelinePoint,
  index: number,
  counts: readonly (1 | 2 | 3)[],
): number {
  const step = steps.find(([step]) => step === index);
  return step ? sum(counts, (each) => step[each]) : 0;
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
