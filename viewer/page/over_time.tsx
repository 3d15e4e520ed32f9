import {
  type BlockOptions,
  reachOf,
  type RunClock,
  secondsOf,
  type TimeRange,
} from "./run_clock.ts";
import { byteRateText, shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import {
  distribution,
  type Exemplar,
  heatMap,
  heatMapOf,
  upTo,
} from "../chart/latency.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { plannedLoad } from "../store/run_facts.ts";
import { type AgentPoint, timelineOf } from "../model/timeline.ts";
import type { LatencySet, RunDirectory } from "../store/run_directory.ts";
import { exportLinks } from "./run_heading.tsx";
import { NotWritten, type PageBlock, Unreadable } from "./parts.tsx";
import { runCharts } from "./run_charts.tsx";
import { runPath, tracePath, withQuery } from "./page_request.ts";
import { boundsOf } from "../chart/frame.tsx";
import { type LineChart, lineChart } from "../chart/line_chart.tsx";
import { averageText, bytesText } from "../model/words.ts";

/** Charts, the target's machine, heat map and distribution of a load run. */
export async function overTime(
  meta: RunMeta,
  run: RunDirectory,
  options: BlockOptions,
  clock: RunClock,
): Promise<PageBlock[]> {
  const { range, link } = options;
  const { value, error } = await run.series();
  const seconds = await secondsOf(run, range);
  const missing = error !== undefined
    ? <Unreadable error={error} />
    : value
    ? undefined
    : <NotWritten meta={meta} what="The time series is" />;
  return [
    {
      id: "time",
      title: "Over time",
      content: missing ?? await chartsOfRun(meta, run, seconds, options, clock),
    },
    {
      id: "agent",
      title: "The target's machine",
      content: await agentBlock(meta, run, range, clock),
    },
    {
      id: "heat",
      title: "Latency heat map",
      content: missing || seconds.length < 2 ? undefined : heatMap(
        heatMapOf(seconds, meta.duration_ms),
        link ? await exemplars(meta, run) : [],
      ),
    },
    {
      id: "distribution",
      title: "Latency distribution",
      content: await latencySpread(meta, run),
    },
  ];
}

/** The kept traces with where their latencies count. */
async function exemplars(
  meta: RunMeta,
  run: RunDirectory,
): Promise<readonly Exemplar[]> {
  const { value = [] } = await run.entries();
  return value.flatMap(({ trace_id, iteration, cells }) =>
    cells ? [{ href: tracePath(meta.id, trace_id), iteration, cells }] : []
  );
}

async function chartsOfRun(
  meta: RunMeta,
  run: RunDirectory,
  seconds: readonly SecondPoint[],
  options: BlockOptions,
  clock: RunClock,
): Promise<Markup> {
  const { link, address, log = false, range } = options;
  const note = rangeNote(meta, options, seconds);
  if (note && seconds.length === 0) return note;
  const timeline = timelineOf(seconds, { durationMs: meta.duration_ms });
  const { width } = timeline;
  const warmUp = timelineOf(
    range.from === undefined ? await run.warmUp(meta) : [],
    { from: -Infinity, durationMs: 0, width },
  );
  const points = [...warmUp.points, ...timeline.points];
  return (
    <>
      {note}
      {runCharts(meta, { width, points }, {
        log,
        clock,
        machine: agentCharts(BESIDE_LOAD, await agentPoints(run, range), clock),
        planned: await plannedLoad(run),
        ...(address && {
          scaleAddress: `${
            withQuery(address, { scale: log ? undefined : "log" })
          }#time`,
        }),
      })}
      {link && exportLinks(meta.id, "series")}
    </>
  );
}

function rangeNote(
  meta: RunMeta,
  { range: { from, to }, link }: BlockOptions,
  seconds: readonly SecondPoint[],
): Markup | undefined {
  if (from === undefined && to === undefined || !link) return;
  const reach = reachOf(seconds, meta);
  return (
    <p class="note">
      {reach === undefined
        ? "No second of the run is in the chosen part."
        : `Shown from ${reach}.`}{" "}
      <a href={`${runPath(meta.id)}#time`}>
        Show the whole run
      </a>
    </p>
  );
}

/** Latency by percentile. */
async function latencySpread(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup> {
  const { value, error } = await run.latencies();
  if (error !== undefined) return <Unreadable error={error} />;
  return value
    ? distributions(value, meta.latency.max)
    : <NotWritten meta={meta} what="The histogram is" />;
}

function distributions(
  { response, service, throttled }: LatencySet,
  max: number | null,
): Markup {
  const same = service.count === response.count && service.avg === response.avg;
  return distribution([
    {
      label: same ? "latency" : "response time",
      colour: 0,
      latency: upTo(response, max),
    },
    ...(same ? [] : [{ label: "service time", colour: 2, latency: service }]),
    { label: "throttled attempts", colour: 4, latency: throttled },
  ]);
}

/** The agent's readings in a part of the run; none when they are too few for a chart. */
async function agentPoints(
  run: RunDirectory,
  { from = 0, to = Infinity }: TimeRange,
): Promise<AgentPoint[]> {
  const { value = [] } = await run.agent();
  const points = value.filter((p) => p.t >= from && p.t < to);
  return points.length < 2 ? [] : points;
}

type AgentChart =
  & Pick<LineChart<AgentPoint>, "id" | "title" | "unit" | "lines">
  & {
    readonly text: (value: number) => string;
    readonly around?: true;
    /** The whole that all values are a part of. */
    readonly of?: (point: AgentPoint) => number | null;
  };

/** The charts of the target's machine below the load. */
const BESIDE_LOAD: readonly AgentChart[] = [
  {
    id: "chart-agent-cpu",
    title: "CPU of the target",
    unit: "share",
    text: shareText,
    lines: [["of its cores", 0, (p) => p.cpu]],
  },
  {
    id: "chart-agent-memory",
    title: "Memory of the target",
    unit: "bytes",
    text: bytesText,
    lines: [["used", 0, (p) => p.memory]],
    around: true,
    of: (p) => p.memory_total,
  },
  {
    id: "chart-agent-network",
    title: "Network of the target, without loopback",
    unit: "traffic",
    text: byteRateText,
    lines: [
      ["received a second", 0, (p) => p.received],
      ["sent a second", 1, (p) => p.sent],
    ],
  },
];

/** The charts of the target's machine in a block of their own. */
const OF_MACHINE: readonly AgentChart[] = [
  {
    id: "chart-agent-load1",
    title: "Load average",
    unit: "number",
    text: averageText,
    lines: [["1 minute", 0, (p) => p.load1]],
  },
  {
    id: "chart-agent-fds",
    title: "Open files",
    unit: "count",
    text: averageText,
    lines: [["descriptors", 0, (p) => p.fds]],
  },
];

/** The agent's other readings, or why there are none. */
async function agentBlock(
  meta: RunMeta,
  run: RunDirectory,
  range: TimeRange,
  clock: RunClock,
): Promise<Markup | undefined> {
  const { value, error } = await run.agent();
  if (error !== undefined) return <Unreadable error={error} />;
  if (!value) {
    // Whether there is an agent is known once it responds.
    if (meta.ended_at === null) return;
    return (
      <p class="empty">
        No agent: the target names no{" "}
        <code>agent_addr</code>, or the agent did not respond. With{" "}
        <code>bench-agent</code>{" "}
        on the target's host its CPU, memory and network would show here.
      </p>
    );
  }
  const points = await agentPoints(run, range);
  if (points.length === 0) {
    return (
      <p class="empty">
        An agent was attached, but too few of its readings arrived for a chart.
      </p>
    );
  }
  const isGap = ({ t: _, ...values }: AgentPoint) =>
    Object.values(values).every((value) => value === null);
  return (
    <>
      <p class="note">
        CPU, memory and network are above, beside the load.{points.some(
          isGap,
        ) && " Readings are missing where the lines have gaps."}
      </p>
      <div class="charts" data-sync="run">
        {agentCharts(OF_MACHINE, points, clock)}
      </div>
    </>
  );
}

function agentCharts(
  charts: readonly AgentChart[],
  points: readonly AgentPoint[],
  clock: RunClock,
): Markup[] {
  if (points.length === 0) return [];
  return charts.map((chart) => {
    const known = chart.lines.flatMap(([, , value]) => points.map(value))
      .filter((value) => value !== null);
    const [low, high] = boundsOf(known).map(chart.text);
    const whole = points.map((point) => chart.of?.(point) ?? 0);
    const of = chart.of ? ` of ${chart.text(Math.max(...whole))}` : "";
    const summary = known.length === 0
      ? `${chart.title} was not read.`
      : low === high
      ? `${low}${of} throughout.`
      : `Between ${low} and ${high}${of}.`;
    return lineChart({ ...chart, summary, points, ...clock });
  });
}
