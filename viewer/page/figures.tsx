import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { LatencyFigure, RunMeta } from "../../lib/model/result/run.ts";
import {
  isTooFew,
  knownIntervals,
  latencyFigures,
} from "../../lib/results/report/sample_sizes.ts";
import { driftSentences } from "../../lib/results/report/sentences.ts";
import type { Markup, Piece } from "../markup/markup.ts";
import { rateText } from "../model/words.ts";

/**
 * The key figures of a run.
 *
 * @param offered requests a second that an open-loop run offers
 */
export function keyFigures(meta: RunMeta, offered?: number): Markup {
  const { iterations, latency } = meta;
  const seconds = meta.duration_ms / 1_000;
  const none = iterations.completed === 0;
  return (
    <>
      <dl class="figures-row">
        <Figure
          name="error_rate"
          value={none ? "–" : shareText(meta.error_rate)}
          more={`${countText(iterations.failed)} of ${
            plural(iterations.completed, "iteration")
          }`}
          kind={meta.error_rate > 0 ? "bad" : ""}
        />
        <Figure
          name="throttle_rate"
          value={none ? "–" : shareText(meta.throttle_rate)}
          more={`${countText(iterations.throttled)} of ${
            plural(iterations.completed, "iteration")
          }`}
          kind={meta.throttle_rate > 0 ? "warn" : ""}
        />
        <Figure
          name="iterations"
          value={countText(iterations.completed)}
          more={`${countText(iterations.started)} started`}
        />
        <Figure
          name="requests"
          value={countText(meta.requests)}
          more={seconds === 0
            ? ""
            : `${rateText(meta.requests / seconds)} on average${
              offered === undefined ? "" : `, ${rateText(offered)} offered`
            }`}
        />
        <Figure
          name="duration"
          value={latencyText(meta.duration_ms)}
          more={`${plural(meta.vus, "VU")} at most`}
        />
      </dl>
      <dl class="figures-row">
        {latency.max === null
          ? (
            <Figure
              name="latency"
              value="–"
              more={meta.ended_at === null ? "none so far" : "no samples"}
            />
          )
          : latencyFigures(latency).map(([name, ms]) => (
            <Figure
              name={name}
              {...latencyValue(name, ms, meta)}
            />
          ))}
      </dl>
      {latencyNote(meta)}
      {(meta.drift ? driftSentences(meta.drift) : []).map((each) => (
        <p class="note">{each}</p>
      ))}
    </>
  );
}

/** With its interval, as far as there are samples for either. */
function latencyValue(
  name: LatencyFigure,
  ms: number,
  { latency_intervals: intervals }: RunMeta,
) {
  if (isTooFew(name, intervals)) return { value: "–", more: "too few samples" };
  const interval = knownIntervals(intervals).find((each) => each.name === name);
  return {
    value: latencyText(ms),
    ...(interval && {
      more: `${latencyText(interval.low)} to ${latencyText(interval.high)}`,
    }),
  };
}

function latencyNote(meta: RunMeta): Markup | undefined {
  const { latency, steps } = meta;
  if (latency.max === null) return;
  const known = knownIntervals(meta.latency_intervals).length > 0;
  // A step that sends nothing has attempts, but no latency.
  const samples = steps.filter((step) => step.latency.max !== null).reduce(
    (sum, step) => sum + step.attempts.passed + step.attempts.failed,
    0,
  );
  return (
    <p class="note">
      Latency is response time over passed and failed attempts ({plural(
        samples,
        "sample",
      )}); throttled attempts are kept apart.{known &&
        " Below a percentile: where the true one lies, with a confidence of 95 %."}
    </p>
  );
}

/** One figure of a row of them. */
export function Figure(
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
