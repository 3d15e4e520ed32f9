import { shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { boundsOf } from "../chart/axis.ts";
import { type Line, type LineChart, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import type { AgentPoint } from "../model/agent_timeline.ts";
import { averageText, bytesText } from "../model/words.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { NotWritten, Unreadable } from "./parts.tsx";
import type { RunClock, TimeRange } from "./run_clock.ts";

/** What the agent of a part of the run read; too little of it is no chart. */
export async function agentPoints(
  run: RunDirectory,
  { from = 0, to = Infinity }: TimeRange,
): Promise<AgentPoint[]> {
  const { value = [] } = await run.agent();
  const points = value.filter((p) => p.t >= from && p.t < to);
  return points.length < 2 ? [] : points;
}

/** What a load wears out, for the charts beside the load itself. */
export function machineCharts(
  points: readonly AgentPoint[],
  clock: RunClock,
): Markup[] {
  if (points.length === 0) return [];
  return [
    chart(clock, points, "cpu", "CPU of the target", "share", shareText, [
      ["of its cores", 0, (p) => p.cpu],
    ]),
    chart(clock, points, "memory", "Memory of the target", "bytes", bytesText, [
      ["used", 0, (p) => p.memory],
      ["total", 4, (p) => p.memory_total],
    ]),
    chart(
      clock,
      points,
      "network",
      "Network of the target, without loopback",
      "bytes",
      (v) => `${bytesText(v)}/s`,
      [
        ["received a second", 0, (p) => p.received],
        ["sent a second", 1, (p) => p.sent],
      ],
    ),
  ];
}

/** What else the agent said, or why it said nothing. */
export async function agentBlock(
  meta: RunMeta,
  run: RunDirectory,
  range: TimeRange,
  clock: RunClock,
): Promise<Markup> {
  const { value, error } = await run.agent();
  if (error !== undefined) return <Unreadable error={error} />;
  if (!value) {
    if (meta.ended_at === null) {
      return <NotWritten meta={meta} what="What the agent reported is" />;
    }
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
  const gaps = points.filter((point) => point.cpu === null).length - 1;
  return (
    <>
      <p class="note">
        CPU, memory and network are above, beside the load.{gaps > 0 &&
          ` ${gaps} readings are missing; the lines have gaps there.`}
      </p>
      <div class="charts" data-sync="run">
        {chart(clock, points, "load1", "Load average", "number", averageText, [
          ["1 minute", 0, (p) => p.load1],
        ])}
        {chart(clock, points, "fds", "Open files", "count", averageText, [
          ["descriptors", 0, (p) => p.fds],
        ])}
      </div>
    </>
  );
}

function chart(
  clock: RunClock,
  points: readonly AgentPoint[],
  id: string,
  title: string,
  unit: LineChart<AgentPoint>["unit"],
  text: (value: number) => string,
  lines: readonly Line<AgentPoint>[],
): Markup {
  const known = points.map(lines[0]![2]).filter((value) => value !== null);
  const [low, high] = boundsOf(known).map(text);
  const summary = known.length === 0
    ? `${title} was not read.`
    : low === high
    ? `${low} throughout.`
    : `From ${low} to ${high}.`;
  return lineChart({
    id: `chart-agent-${id}`,
    title,
    summary,
    points,
    lines,
    unit,
    text,
    ...clock,
  });
}
