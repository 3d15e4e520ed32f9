import type { RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { type Shade, timeText } from "../chart/frame.tsx";
import type { RunDirectory } from "../store/run_directory.ts";
import { plannedLoad } from "../store/run_facts.ts";

/** Options of a run's blocks. */
export interface BlockOptions {
  /** Seconds; the whole run when neither is given. */
  readonly range: TimeRange;
  /** Off in a report file, which has no other pages. */
  readonly link: boolean;
  /** Off to leave out bodies and frames. */
  readonly payloads?: boolean;
  /** Of the page; absent in a report file. */
  readonly address?: URL;
  /** Powers of ten up the side of the latency chart. */
  readonly log?: boolean;
}

/** A part of a run, in seconds since its start; what is absent does not bound it. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The time axis that every chart of a run has, with what happened on it. */
export interface RunClock {
  readonly span: readonly [start: number, end: number];
  /** Where the run broke. */
  readonly marks: readonly { readonly label: string; readonly at: number }[];
  /** While users were added or taken away. */
  readonly shades: readonly Shade[];
}

export async function runClock(
  { knee, warm_up }: RunMeta,
  run: RunDirectory,
  { from: asked, to = Infinity }: TimeRange,
): Promise<RunClock> {
  const begins = -(warm_up?.duration_ms ?? 0) / 1_000;
  const from = asked ?? begins;
  const [series, agent, { vus }] = await Promise.all([
    run.series(),
    run.agent(),
    plannedLoad(run),
  ]);
  const last = [...series.value ?? [], ...agent.value ?? []]
    .reduce((end, { t }) => t < to ? Math.max(end, t) : end, from + 1);
  // Several stages are a line of the charts.
  const ramp = vus?.stages.length === 1 ? vus.stages[0] : undefined;
  const at = (knee?.at_ms ?? NaN) / 1_000;
  return {
    span: [from, last],
    marks: Number.isNaN(at) ? [] : [{ label: `knee at ${timeText(at)}`, at }],
    shades: [
      ...from < 0 ? [{ label: "warm-up, in no figure", from, to: 0 }] : [],
      ...ramp
        ? [{
          label: `ramp from ${vus!.from} to ${ramp.to} VUs`,
          from: begins,
          to: begins + ramp.overMs / 1_000,
        }]
        : [],
    ].filter((shade) => shade.to > from),
  };
}

/** The seconds of a part of a run. */
export async function secondsOf(
  run: RunDirectory,
  { from = 0, to = Infinity }: TimeRange,
): Promise<readonly SecondPoint[]> {
  const { value = [] } = await run.series();
  return value.filter(({ t }) => t >= from && t < to);
}

/** From where to where seconds of a run reach, `2s to 6.04s`; undefined without any. */
export function reachOf(
  seconds: readonly SecondPoint[],
  { duration_ms }: RunMeta,
): string | undefined {
  const [first, last] = [seconds[0], seconds.at(-1)];
  if (!first || !last) return;
  const end = Math.max(first.t, Math.min(last.t + 1, duration_ms / 1_000));
  return `${timeText(first.t)} to ${timeText(end)}`;
}
