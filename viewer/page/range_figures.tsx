import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { LATENCY_FIGURES, type RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { timeText } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import type { RangeLatency } from "../store/stretches.ts";
import { timelineOf } from "../model/timeline.ts";
import { rateText } from "../model/words.ts";
import { Figure } from "./figures.tsx";

/** The key figures of a part of a run; none without any second of it. */
export function rangeFigures(
  { duration_ms }: RunMeta,
  seconds: readonly SecondPoint[],
  latency: RangeLatency,
): Markup | undefined {
  const width = Math.max(1, seconds.length);
  const [all] = timelineOf(seconds, { width, durationMs: duration_ms }).points;
  if (!all) return;
  const end = Math.max(
    all.t,
    Math.min(seconds.at(-1)!.t + 1, duration_ms / 1_000),
  );
  const sum = (pick: (second: SecondPoint) => number | undefined) =>
    seconds.reduce((total, each) => total + (pick(each) ?? 0), 0);
  const completed = sum((each) => each.completed);
  const share = (
    name: string,
    value: number | null,
    count: number,
    kind: string,
  ) => (
    <Figure
      name={name}
      value={value === null ? "–" : shareText(value)}
      more={`${countText(count)} of ${plural(completed, "iteration")}`}
      kind={count > 0 ? kind : ""}
    />
  );
  return (
    <>
      <p class="note">
        Of {timeText(all.t)} to {timeText(Number(end.toFixed(2)))}{" "}
        alone; latencies are right within 0.4 %{latency.width > 1 &&
          ` and are those of whole stretches of ${latency.width} s`}. Verdict,
        thresholds and the table of steps are those of the whole run.
      </p>
      <dl class="figures-row">
        {share(
          "error_rate",
          all.error_rate,
          sum((each) => each.iterations_failed),
          "bad",
        )}
        {share(
          "throttle_rate",
          all.throttle_rate,
          sum((each) => each.iterations_throttled),
          "warn",
        )}
        <Figure
          name="iterations"
          value={countText(completed)}
          more={`${countText(sum((each) => each.started))} started`}
        />
        <Figure
          name="requests"
          value={countText(
            sum((each) => each.passed + each.failed + each.throttled),
          )}
          more={`${rateText(all.rate)} on average`}
        />
        <Figure
          name="VUs"
          value={countText(all.vus)}
          more="at most"
        />
      </dl>
      <dl class="figures-row">
        {LATENCY_FIGURES.map((name) => (
          <Figure
            name={name}
            value={latency[name] === null ? "–" : latencyText(latency[name])}
          />
        ))}
      </dl>
    </>
  );
}
