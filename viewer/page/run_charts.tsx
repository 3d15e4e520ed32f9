import { highestIn, type LoadBounds, unitsBy } from "../../lib/model/course.ts";
import { latencyText, rateOf } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/frame.tsx";
import {
  type Line,
  type LineChart,
  lineChart,
  OUTCOME_COLOURS,
} from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import type { Timeline, TimelinePoint } from "../model/timeline.ts";
import { averageText, rateText, shareOrNone, spanOf } from "../model/words.ts";
import type { RunClock } from "./run_clock.ts";

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
        Too short for a time series; the figures are above, the distribution of
        the whole run below.
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
            are right within 9%.
          </p>
        )}
      <div class="charts clocked" data-sync="run">
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

/** The thresholds that a chart of these metrics shows: those of the whole run. */
export function limitsOf(
  thresholds: RunMeta["thresholds"],
  metrics: readonly string[],
): { readonly label: string; readonly at: number }[] {
  return thresholds.filter(({ metric, step }) =>
    metrics.includes(metric) && step === undefined
  ).map(({ expression, limit }) => ({ label: expression, at: limit }));
}

function latencyChart(
  { thresholds }: RunMeta,
  points: Points,
  { log = false, scaleAddress }: ChartOptions,
): Chart {
  const p95: Line<TimelinePoint> = ["p95", 1, (point) => point.p95];
  return {
    id: "chart-latency",
    leads: true,
    title: "Latency",
    summary: movementText("p95", p95, points, latencyText),
    lines: [["p50", 0, ({ p50 }) => p50], p95, ["p99", 3, ({ p99 }) => p99]],
    unit: "ms",
    log,
    ...(scaleAddress !== undefined && points.some(({ p95 }) => p95 !== null) &&
      {
        more: <a href={scaleAddress}>{log ? "even" : "logarithmic"} scale</a>,
      }),
    limits: limitsOf(thresholds, ["latency"]),
  };
}

/**
 * The values until the plan's end. What follows only finishes what was begun: a
 * rate of it is none of the load. All values, where there is nothing before.
 */
export function whilePlanned<Point extends { readonly t: number }>(
  { endMs = Infinity, warmUpMs = 0 }: LoadBounds,
  points: readonly Point[],
  [label, colour, of]: Line<Point>,
): Line<Point> {
  const end = (endMs - warmUpMs) / 1_000;
  const isSome = (point: Point) => (of(point) ?? 0) !== 0;
  const all = points.some(isSome) &&
    !points.some((point) => point.t < end && isSome(point));
  return all
    ? [label, colour, of]
    : [label, colour, (point) => point.t < end ? of(point) : null];
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
  const rate = whilePlanned<TimelinePoint>(planned, points, [
    "attempts ended, a second",
    0,
    (point) => point.rate,
  ]);
  return {
    id: "chart-load",
    leads: true,
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

function ratesChart(meta: RunMeta): Chart {
  return {
    limits: limitsOf(meta.thresholds, ["error_rate", "throttle_rate"]),
    id: "chart-rates",
    title: "Errors and throttles",
    summary: `error_rate ${
      shareOrNone(rateOf(meta, "error_rate"))
    } and throttle_rate ${shareOrNone(rateOf(meta, "throttle_rate"))} ${
      spanOf(meta)
    }.`,
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
      .map((line) => whilePlanned(planned, points, line)),
    unit: "share",
    ...(generator?.limited && { limits: [{ label: "its limit", at: 0.9 }] }),
  };
}

/** The line in words, without a warm-up: where it began, ended, and was highest. */
function movementText(
  name: string,
  [, , of]: Line<TimelinePoint>,
  points: Points,
  text: (value: number) => string,
): string {
  const known = points.flatMap((point) => {
    const value = of(point);
    return value === null || point.t < 0 ? [] : [{ value, t: point.t }];
  });
  if (known.length === 0) return `${name} has no samples.`;
  const highest = known.reduce((a, b) => (b.value > a.value ? b : a));
  return `${name} began at ${text(known[0]!.value)}, ended at ${
    text(known.at(-1)!.value)
  }, and was highest, ${text(highest.value)}, at ${timeText(highest.t)}.`;
}
