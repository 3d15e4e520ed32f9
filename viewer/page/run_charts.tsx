import { latencyText, shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/axis.ts";
import {
  FAILED,
  type Line,
  type LineChart,
  lineChart,
  THROTTLED,
} from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import type { Timeline, TimelinePoint } from "../model/timeline.ts";
import { averageText, rateText } from "../model/words.ts";
import type { RunClock } from "./run_clock.ts";

/** Fewer points than this are no line. */
const FEW = 2;

/** What the charts show besides the series. */
interface ChartOptions {
  /** Powers of ten up the side of the latency chart. */
  readonly log?: boolean;
  /** Requests a second that an open-loop run offers. */
  readonly offered?: number;
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
        {drawn(load(points, options))}
        {drawn(latency(meta, points, options))}
        {drawn(rates(meta))}
        {drawn(users(points))}
        {options.machine}
        {drawn(generator(meta, points))}
      </div>
    </>
  );
}

function latency(
  { thresholds }: RunMeta,
  points: Points,
  { log = false, scaleAddress }: ChartOptions,
): Chart {
  const p95: Line<TimelinePoint> = ["p95", 1, (point) => point.p95];
  const limits = thresholds.filter(({ metric }) => metric === "latency")
    .map(({ expression, limit }) => ({ label: expression, at: limit }));
  const top = Math.max(...points.map(({ p99 }) => p99 ?? 0));
  return {
    id: "chart-latency",
    title: "Latency",
    summary: movement("p95", p95, points, latencyText),
    lines: [["p50", 0, ({ p50 }) => p50], p95, ["p99", 3, ({ p99 }) => p99]],
    unit: "ms",
    log,
    ...(scaleAddress !== undefined && {
      more: <a href={scaleAddress}>{log ? "even" : "logarithmic"} scale</a>,
    }),
    // A limit far above everything measured would press the lines flat.
    limits: limits.filter((each) => log || each.at <= top * 3),
  };
}

function load(points: Points, { offered }: ChartOptions): Chart {
  const rate: Line<TimelinePoint> = [
    "requests ended, a second",
    0,
    (point) => point.rate,
  ];
  return {
    id: "chart-load",
    title: "Load",
    summary: movement("The rate", rate, points, rateText),
    lines: offered === undefined
      ? [rate]
      : [rate, ["offered, a second", 4, () => offered]],
    unit: "rate",
  };
}

function users(points: Points): Chart {
  const vus: Line<TimelinePoint> = ["virtual users", 4, (point) => point.vus];
  return {
    id: "chart-vus",
    title: "Virtual users",
    summary: movement("The number", vus, points, averageText),
    lines: [vus],
    unit: "count",
  };
}

function rates({ error_rate, throttle_rate }: RunMeta): Chart {
  return {
    id: "chart-rates",
    title: "Errors and throttles",
    summary: `error_rate ${shareText(error_rate)} and throttle_rate ${
      shareText(throttle_rate)
    } over the whole run.`,
    lines: [
      ["error_rate", FAILED, (point) => point.error_rate],
      ["throttle_rate", THROTTLED, (point) => point.throttle_rate],
    ],
    unit: "share",
  };
}

function generator(
  { generator }: RunMeta,
  points: Points,
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
    lines: [cpu, waiting].filter(isKnown),
    unit: "share",
    ...(generator?.limited && { limits: [{ label: "its limit", at: 0.9 }] }),
  };
}

/** The line in words: where it began, ended, and was highest. */
function movement(
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
