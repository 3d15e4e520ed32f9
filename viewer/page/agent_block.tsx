import { shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { type LineChart, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import { type AgentPoint, agentTimeline } from "../model/agent_timeline.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { bytesText } from "./figures.tsx";
import { kneeMarks } from "./knee_marks.ts";
import { Unreadable } from "./layout.tsx";
import { NotWritten } from "./not_written.tsx";

/** The target's machine as its agent saw it, on the run's clock. */
export async function agentBlock(
  meta: RunMeta,
  run: RunDirectory,
  range: {
    readonly from?: number | undefined;
    readonly to?: number | undefined;
  },
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
  const points = agentTimeline(value).filter((p) =>
    p.t >= (range.from ?? 0) && p.t < (range.to ?? Infinity)
  );
  if (points.length < 2) {
    return (
      <p class="empty">
        An agent was attached, but too few of its readings arrived for a chart.
      </p>
    );
  }
  const gaps = points.filter((point) => point.cpu === null).length - 1;
  const share = (value: number) => shareText(value);
  const whole = (value: number) => String(Number(value.toFixed(1)));
  return (
    <>
      {gaps > 0 &&
        (
          <p class="note">
            {gaps} readings are missing; the lines have gaps there.
          </p>
        )}
      <div class="charts" data-sync="run">
        {chart(meta, points, "cpu", "CPU", "share", share, [[
          "of its cores",
          0,
          (p) => p.cpu,
        ]])}
        {chart(meta, points, "memory", "Memory", "bytes", bytesText, [
          ["used", 0, (p) => p.memory],
          ["total", 4, (p) => p.memory_total],
        ])}
        {chart(
          meta,
          points,
          "network",
          "Network, without loopback",
          "bytes",
          (v) => `${bytesText(v)}/s`,
          [
            ["received a second", 0, (p) => p.received],
            ["sent a second", 1, (p) => p.sent],
          ],
        )}
        {chart(meta, points, "load1", "Load average", "number", whole, [
          ["1 minute", 0, (p) => p.load1],
        ])}
        {chart(meta, points, "fds", "Open files", "count", whole, [
          ["descriptors", 0, (p) => p.fds],
        ])}
      </div>
    </>
  );
}

type Pick = readonly [string, number, (point: AgentPoint) => number | null];

function chart(
  meta: RunMeta,
  points: readonly AgentPoint[],
  id: string,
  title: string,
  unit: LineChart["unit"],
  text: (value: number) => string,
  picks: readonly Pick[],
): Markup {
  const lines = picks.map(([label, colour, pick]) => ({
    label,
    colour,
    values: points.map(pick),
  }));
  const known = lines[0]!.values.filter((value) => value !== null);
  const summary = known.length === 0
    ? `${title} was not read.`
    : movement(text(lowest(known)), text(highest(known)));
  return lineChart({
    id: `chart-agent-${id}`,
    title,
    summary,
    times: points.map((point) => point.t),
    lines,
    unit,
    text,
    marks: kneeMarks(meta),
  });
}

function movement(low: string, high: string): string {
  return low === high ? `${low} throughout.` : `From ${low} to ${high}.`;
}

function lowest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function highest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}
