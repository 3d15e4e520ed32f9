import { latencyText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { distribution } from "../chart/distribution.tsx";
import { heatMap, heatMapOf } from "../chart/heat_map.tsx";
import type { Markup } from "../markup/markup.ts";
import { loadProfile } from "../store/stored_flow.ts";
import { timelineOf } from "../model/timeline.ts";
import type { LatencySet, RunDirectory } from "../store/run_directory.ts";
import { agentBlock, agentPoints, machineCharts } from "./agent_block.tsx";
import { exportLinks } from "./export_links.tsx";
import { Block, NotWritten, Unreadable } from "./parts.tsx";
import { runCharts } from "./run_charts.tsx";
import { runPath, withQuery } from "./page_request.ts";
import type { RunClock, TimeRange } from "./run_clock.ts";

/** What a run's blocks are made for. */
export interface BlockOptions {
  /** Seconds; the whole run when neither is given. */
  readonly range: TimeRange;
  /** Off in a report file, which has no other pages. */
  readonly link: boolean;
  /** Of the page; absent in a report file. */
  readonly address?: URL;
  /** Powers of ten up the side of the latency chart. */
  readonly log?: boolean;
}

/** Charts, the target's machine, heat map and distribution of a load run. */
export async function overTime(
  meta: RunMeta,
  run: RunDirectory,
  options: BlockOptions,
  clock: RunClock,
): Promise<Markup> {
  const { range, link } = options;
  const { value, error } = await run.series();
  const seconds = await secondsOf(run, range);
  const missing = error !== undefined
    ? <Unreadable error={error} />
    : value
    ? undefined
    : <NotWritten meta={meta} what="The time series is" />;
  return (
    <>
      <Block id="time" title="Over time">
        {missing ?? await charts(meta, run, seconds, options, clock)}
      </Block>
      <Block id="agent" title="The target's machine">
        {await agentBlock(meta, run, range, clock)}
      </Block>
      {missing || seconds.length < 2
        ? undefined
        : (
          <Block id="heat" title="Latency heat map">
            {heatMap(
              heatMapOf(seconds),
              link ? runPath(meta.id, "/traces") : undefined,
            )}
          </Block>
        )}
      {await latencySpread(meta, run)}
    </>
  );
}

/** The seconds of a part of a run. */
export async function secondsOf(
  run: RunDirectory,
  { from = 0, to = Infinity }: TimeRange,
): Promise<readonly SecondPoint[]> {
  const { value = [] } = await run.series();
  return value.filter(({ t }) => t >= from && t < to);
}

async function charts(
  meta: RunMeta,
  run: RunDirectory,
  seconds: readonly SecondPoint[],
  options: BlockOptions,
  clock: RunClock,
): Promise<Markup> {
  const { link, address, log = false, range } = options;
  const { offered } = await loadProfile(run);
  return (
    <>
      {rangeNote(meta, options)}
      {runCharts(meta, timelineOf(seconds, { durationMs: meta.duration_ms }), {
        log,
        clock,
        machine: machineCharts(await agentPoints(run, range), clock),
        ...(offered !== undefined && { offered }),
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
): Markup | undefined {
  if (from === undefined && to === undefined || !link) return;
  return (
    <p class="note">
      Shown from {latencyText((from ?? 0) * 1_000)} to{" "}
      {latencyText(to === undefined ? meta.duration_ms : to * 1_000)}.{" "}
      <a href={`${runPath(meta.id)}#time`}>Show the whole run</a>
    </p>
  );
}

/** Latency by percentile. */
async function latencySpread(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup> {
  const { value, error } = await run.latencies();
  return (
    <Block id="distribution" title="Latency distribution">
      {error !== undefined
        ? <Unreadable error={error} />
        : value
        ? distributions(value)
        : <NotWritten meta={meta} what="The histogram is" />}
    </Block>
  );
}

function distributions(
  { response, service, throttled }: LatencySet,
): Markup {
  const same = service.count === response.count && service.avg === response.avg;
  return distribution([
    {
      label: same ? "latency" : "response time",
      colour: 0,
      latency: response,
    },
    ...(same ? [] : [{ label: "service time", colour: 2, latency: service }]),
    { label: "throttled attempts", colour: 4, latency: throttled },
  ]);
}
