import { countAll } from "../../lib/model/outcome.ts";
import { driftSentences } from "../../lib/results/report/drift_text.ts";
import {
  countText,
  latencyText,
  plural,
  rateOf,
  shareText,
  warmUpText,
} from "../../lib/results/report/figures.ts";
import {
  type CoreUse,
  LATENCY_FIGURES,
  type LatencyFigure,
  type RunMeta,
} from "../../lib/model/result/run.ts";
import {
  isTooFew,
  knownIntervals,
  latencyFigures,
} from "../../lib/results/report/sample_sizes.ts";
import type { Markup, Piece } from "../markup/jsx_runtime.ts";
import { samplesOf } from "../model/comparison.ts";
import {
  latencyOrNone,
  rateText,
  sentence,
  shareOrNone,
} from "../model/words.ts";
import { type Course, highestOf } from "../../lib/model/course.ts";
import { sum } from "../../lib/base/values/sum.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { reachOf } from "./run_clock.ts";
import type { RangeLatency } from "../store/run_directory.ts";
import { timelineOf } from "../model/timeline.ts";

/**
 * The key figures of a run.
 *
 * @param offered the rate that an open-loop run offers
 * @param series how many VUs there were; empty where that is not known
 */
export function keyFigures(
  meta: RunMeta,
  offered: Course | undefined,
  series: readonly SecondPoint[],
): Markup {
  const { iterations, latency, requests } = meta;
  const { completed, started, failed, throttled } = iterations;
  const seconds = meta.duration_ms / 1_000;
  return (
    <>
      <dl class="figures-row">
        {counted({
          completed,
          started,
          sent: ["requests", requests],
          error_rate: [rateOf(meta, "error_rate"), failed],
          throttle_rate: [rateOf(meta, "throttle_rate"), throttled],
          ...(seconds > 0 && { perSecond: requests / seconds }),
          ...(offered !== undefined && { offered }),
        })}
        <Figure
          name="duration"
          value={latencyText(meta.duration_ms)}
          more={vusText(meta, series)}
        />
        {latency.max === null
          ? (
            <Figure
              name="latency"
              value="–"
              more={meta.ended_at === null ? "none so far" : "no samples"}
            />
          )
          : latencyFigures(latency).filter(([name]) => isKey(name, meta))
            .map(([name, ms]) => (
              <Figure
                name={name}
                {...latencyValue(name, ms, meta)}
              />
            ))}
      </dl>
    </>
  );
}

/** The latencies of the first screen; the distribution has the others. */
const KEY: ReadonlySet<LatencyFigure> = new Set([
  "p50",
  "p90",
  "p95",
  "p99",
  "max",
]);

/** A functional run rarely has the samples that percentiles take. */
function isKey(
  name: LatencyFigure,
  { rows, latency_intervals }: RunMeta,
): boolean {
  return KEY.has(name) && !(rows && isTooFew(name, latency_intervals));
}

/** How the figures were counted, and what else is known of them. */
export function figureNotes(meta: RunMeta): Markup {
  const warmUp = warmUpText(meta);
  return (
    <>
      {latencyNote(meta)}
      {warmUp && <p class="note">{sentence(warmUp)}</p>}
      {(meta.drift ? driftSentences(meta.drift) : []).map((each) => (
        <p class="note">{each}</p>
      ))}
    </>
  );
}

/** An open loop uses as many of its VUs as it needs. */
function vusText({ vus }: RunMeta, seconds: readonly SecondPoint[]): string {
  const most = seconds.reduce((top, each) => Math.max(top, each.vus), 0);
  return most === 0 || most >= vus
    ? `${plural(vus, "VU")} at most`
    : `${countText(most)} of ${plural(vus, "VU")} at most`;
}

/** The counts of a run, or of a part of it. */
interface Counted {
  readonly completed: number;
  readonly started: number;
  /** Of a part only the attempts are known, sent or not. */
  readonly sent: readonly [name: "requests" | "attempts", count: number];
  readonly perSecond?: number;
  readonly offered?: Course;
  readonly error_rate: Rate;
  readonly throttle_rate: Rate;
}
type Rate = readonly [share: number | null, count: number];

function offeredText(offered: Course): string {
  const most = rateText(highestOf(offered));
  return offered.stages.length === 0
    ? `${most} offered`
    : `up to ${most} offered`;
}

/** The shares of iterations that did not pass, iterations and requests. */
function counted({ completed, started, ...counts }: Counted): Markup {
  const { sent: [name, sent], perSecond, offered } = counts;
  const rate = (name: "error_rate" | "throttle_rate", tone: string) => {
    const [share, count] = counts[name];
    return (
      <Figure
        name={name}
        value={shareOrNone(share)}
        more={`${countText(count)} of ${countText(completed)}`}
        kind={count > 0 ? tone : ""}
      />
    );
  };
  const rates = [
    ...perSecond === undefined ? [] : [`${rateText(perSecond)} on average`],
    ...offered === undefined ? [] : [offeredText(offered)],
  ];
  return (
    <>
      {rate("error_rate", "bad")}
      {rate("throttle_rate", "warn")}
      <Figure
        name="iterations"
        value={countText(completed)}
        more={`${countText(started)} started`}
      />
      <Figure
        name={name}
        value={countText(sent)}
        more={rates.join(", ")}
      />
    </>
  );
}

const TOO_FEW = { value: "–", more: "too few samples" };

/** With its interval, as far as there are samples for either. */
function latencyValue(
  name: LatencyFigure,
  ms: number,
  { latency_intervals: intervals }: RunMeta,
) {
  if (isTooFew(name, intervals)) return TOO_FEW;
  const interval = knownIntervals(intervals).find((each) => each.name === name);
  return {
    value: latencyText(ms),
    ...(interval && {
      more: `${latencyText(interval.low)} to ${latencyText(interval.high)}`,
    }),
  };
}

/** Counts are stored each second, the histograms of a run that goes on less often. */
export const UNSTORED =
  "Latencies are stored every 5 to 30 seconds: the last ones are not among them.";

function latencyNote(meta: RunMeta): Markup | undefined {
  if (meta.latency.max === null) return;
  const known = knownIntervals(meta.latency_intervals).length > 0;
  const others = latencyFigures(meta.latency).filter(([name]) => !KEY.has(name))
    .map(([name, ms]) => `${name} ${latencyValue(name, ms, meta).value}`);
  return (
    <p class="note">
      Latency is response time over passed and failed attempts ({plural(
        samplesOf(meta),
        "sample",
      )}); throttled attempts are kept apart. Besides:{" "}
      {others.join(", ")}.{known &&
        " Below a percentile: where the true one lies, with a confidence of 95%."}
      {meta.ended_at === null && ` ${UNSTORED}`}
    </p>
  );
}

/** One figure of a row of them. */
function Figure(
  { name, value, more = "", kind = "" }: {
    name: string;
    value: Piece;
    more?: string;
    kind?: string;
  },
): Markup {
  return (
    <div class={`figure ${kind}`} data-figure={name}>
      <dt>{name}</dt>
      <dd class="value">{value}</dd>
      {more !== "" && <dd class="more">{more}</dd>}
    </div>
  );
}

/** How the generator was doing. That it was the limit is a finding, which says so with its reasons. */
export function generatorBlock(
  { generator, rows }: RunMeta,
): Markup | undefined {
  if (!generator) return;
  const facts = [
    `CPU ${shareText(generator.cpu_share)} of its threads' share`,
    generator.core_wait_share !== null &&
    `waited for a core ${shareText(generator.core_wait_share)} of the time`,
    generator.cores && coresText(generator.cores),
    `timers late by ${latencyText(generator.loop_lag_p99_ms)} (p99)`,
    (generator.late_p99_ms ?? 0) > 0 &&
    `slots late by ${latencyText(generator.late_p99_ms)} (p99)`,
    (generator.held_requests ?? 0) > 0 &&
    `${plural(generator.held_requests, "request")} held back by max_rps`,
    (generator.unserved_slots ?? 0) > 0 &&
    `${
      plural(generator.unserved_slots, "due request")
    } never sent, because no VU was free`,
  ].filter((each) => each);
  return (
    <p class="note">
      {generator.limited && !rows
        ? "The generator: "
        : `${sentence(generator.detail)} `}
      {facts.join("; ")}.
    </p>
  );
}

function coresText({ total, generator, target, others }: CoreUse): string {
  const shares = [
    `${generator.toFixed(1)} generator`,
    ...(target === null ? [] : [`${target.toFixed(1)} target`]),
    `${others.toFixed(1)} others`,
  ];
  return `of ${plural(total, "core")} ${shares.join(", ")}`;
}

/** The key figures of a part of a run; none without any second of it. */
export function rangeFigures(
  meta: RunMeta,
  seconds: readonly SecondPoint[],
  latency: RangeLatency,
): Markup | undefined {
  const width = Math.max(1, seconds.length);
  const timeline = timelineOf(seconds, { width, durationMs: meta.duration_ms });
  const [all] = timeline.points;
  if (!all) return;
  const total = (pick: (second: SecondPoint) => number | undefined) =>
    sum(seconds, (each) => pick(each) ?? 0);
  const completed = total((each) => each.completed);
  return (
    <>
      <p class="note">
        Of {reachOf(seconds, meta)}{" "}
        alone; latencies are right within 0.4%{latency.width > 1 &&
          ` and are those of whole stretches of ${latency.width} s`}. Verdict,
        thresholds, findings, tables and the latency distribution are those of
        the whole run.
      </p>
      <dl class="figures-row">
        {counted({
          completed,
          started: total((each) => each.started),
          sent: ["attempts", total(countAll)],
          perSecond: all.rate,
          error_rate: [all.error_rate, total((each) => each.iterations_failed)],
          throttle_rate: [
            all.throttle_rate,
            total((each) => each.iterations_throttled),
          ],
        })}
        <Figure
          name="VUs"
          value={countText(all.vus)}
          more="at most"
        />
        {LATENCY_FIGURES.map((name) => (
          <Figure
            name={name}
            {...latency.max !== null && isTooFew(name, latency)
              ? TOO_FEW
              : { value: latencyOrNone(latency[name]) }}
          />
        ))}
      </dl>
    </>
  );
}
