import { latencyText, shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  FAILED,
  type Line,
  lineChart,
  THROTTLED,
} from "../chart/line_chart.tsx";
import { timeText } from "../chart/time_axis.ts";
import type { Markup } from "../markup/markup.ts";
import type { Timeline, TimelinePoint } from "../model/timeline.ts";
import { rateText } from "./figures.tsx";
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

/** The charts of a run and its target, one under the other on one clock. */
export function runCharts(
  meta: RunMeta,
  timeline: Timeline,
  options: ChartOptions,
): Markup {
  if (timeline.points.length < FEW) {
    return (
      <p class="empty">
        The run was too short for a time series; its figures are above, its
        distribution below.
      </p>
    );
  }
  return (
    <>
      {timeline.width > 1 &&
        (
          <p class="note">
            Each point is {timeline.width}{" "}
            s. Percentiles of merged seconds come from their added counts and
            are right within 9 %.
          </p>
        )}
      <div class="charts stacked" data-sync="run">
        {[load, latency, rates, users].map((chart) =>
          chart(meta, timeline, options)
        )}
        {options.machine}
        {generator(meta, timeline, options)}
      </div>
    </>
  );
}

function latency(
  meta: RunMeta,
  timeline: Timeline,
  { log = false, scaleAddress, clock }: ChartOptions,
): Markup {
  const lines = [
    line("p50", 0, timeline, (point) => point.p50),
    line("p95", 1, timeline, (point) => point.p95),
    line("p99", 3, timeline, (point) => point.p99),
  ];
  const limits = meta.thresholds.filter(({ metric }) => metric === "latency")
    .map(({ expression, limit }) => ({ label: expression, at: limit }));
  const top = Math.max(...lines[2]!.values.map((value) => value ?? 0));
  return lineChart({
    id: "chart-latency",
    title: "Latency",
    summary: movement("p95", lines[1]!, timeline, latencyText),
    times: timeline.points.map((point) => point.t),
    lines,
    unit: "ms",
    text: latencyText,
    log,
    ...(scaleAddress !== undefined && {
      more: <a href={scaleAddress}>{log ? "even" : "logarithmic"} scale</a>,
    }),
    // A limit far above everything measured would press the lines flat.
    limits: limits.filter((each) => log || each.at <= top * 3),
    ...clock,
  });
}

function load(
  _: RunMeta,
  timeline: Timeline,
  { offered, clock }: ChartOptions,
): Markup {
  const rate = line("requests ended, a second", 0, timeline, (p) => p.rate);
  const offer = offered === undefined
    ? []
    : [line("offered, a second", 4, timeline, () => offered)];
  return lineChart({
    id: "chart-load",
    title: "Load",
    summary: movement("The rate", rate, timeline, rateText),
    times: timeline.points.map((point) => point.t),
    lines: [rate, ...offer],
    unit: "rate",
    text: rateText,
    ...clock,
  });
}

function users(
  _: RunMeta,
  timeline: Timeline,
  { clock }: ChartOptions,
): Markup {
  const text = (value: number) => String(Number(value.toFixed(1)));
  const vus = line("virtual users", 4, timeline, (point) => point.vus);
  return lineChart({
    id: "chart-vus",
    title: "Virtual users",
    summary: movement("The number", vus, timeline, text),
    times: timeline.points.map((point) => point.t),
    lines: [vus],
    unit: "count",
    text,
    ...clock,
  });
}

function rates(
  meta: RunMeta,
  timeline: Timeline,
  { clock }: ChartOptions,
): Markup {
  const error = line(
    "error_rate",
    FAILED,
    timeline,
    (point) => point.error_rate,
  );
  const throttle = line(
    "throttle_rate",
    THROTTLED,
    timeline,
    (point) => point.throttle_rate,
  );
  return lineChart({
    id: "chart-rates",
    title: "Errors and throttles",
    summary: `error_rate ${shareText(meta.error_rate)} and throttle_rate ${
      shareText(meta.throttle_rate)
    } over the whole run.`,
    times: timeline.points.map((point) => point.t),
    lines: [error, throttle],
    unit: "share",
    text: shareText,
    ...clock,
  });
}

function generator(
  meta: RunMeta,
  timeline: Timeline,
  { clock }: ChartOptions,
): Markup | undefined {
  if (timeline.points.every((point) => point.cpu_share === null)) return;
  return lineChart({
    id: "chart-generator",
    title: "The generator itself",
    summary: meta.generator?.detail ?? "How the load generator was doing.",
    times: timeline.points.map((point) => point.t),
    lines: [
      line("share of its CPU", 2, timeline, (point) => point.cpu_share),
      ...timeline.points.every((point) => point.core_wait_share === null)
        ? []
        : [
          line(
            "waiting for a core",
            1,
            timeline,
            (point) => point.core_wait_share,
          ),
        ],
    ],
    unit: "share",
    text: shareText,
    ...clock,
    ...(meta.generator?.limited && {
      limits: [{ label: "its limit", at: 0.9 }],
    }),
  });
}

function line(
  label: string,
  colour: number,
  { points }: Timeline,
  pick: (point: TimelinePoint) => number | null,
): Line {
  return { label, colour, values: points.map(pick) };
}

/** The line in words: where it began, ended, and was highest. */
function movement(
  name: string,
  { values }: Line,
  { points }: Timeline,
  text: (value: number) => string,
): string {
  const known = values.flatMap((value, i) =>
    value === null ? [] : [{ value, t: points[i]!.t }]
  );
  if (known.length === 0) return `${name} has no samples.`;
  const highest = known.reduce((a, b) => (b.value > a.value ? b : a));
  return `${name} began at ${text(known[0]!.value)}, ended at ${
    text(known.at(-1)!.value)
  }, and was highest, ${text(highest.value)}, at ${timeText(highest.t)}.`;
}
