import { sum } from "../../lib/base/values/sum.ts";
import { countText } from "../../lib/results/report/figures.ts";
import { LATENCY_FIGURES, type RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { timeText } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import type { RangeLatency } from "../store/stretches.ts";
import { timelineOf } from "../model/timeline.ts";
import { latencyOrNone, rateText } from "../model/words.ts";
import { Figure, rates } from "./figures.tsx";

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
  const total = (pick: (second: SecondPoint) => number | undefined) =>
    sum(seconds, (each) => pick(each) ?? 0);
  const completed = total((each) => each.completed);
  return (
    <>
      <p class="note">
        Of {timeText(all.t)} to {timeText(Number(end.toFixed(2)))}{" "}
        alone; latencies are right within 0.4 %{latency.width > 1 &&
          ` and are those of whole stretches of ${latency.width} s`}. Verdict,
        thresholds and the table of steps are those of the whole run.
      </p>
      <dl class="figures-row">
        {rates(completed, {
          error_rate: [all.error_rate, total((each) => each.iterations_failed)],
          throttle_rate: [
            all.throttle_rate,
            total((each) => each.iterations_throttled),
          ],
        })}
        <Figure
          name="iterations"
          value={countText(completed)}
          more={`${countText(total((each) => each.started))} started`}
        />
        <Figure
          name="requests"
          value={countText(
            total((each) => each.passed + each.failed + each.throttled),
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
            value={latencyOrNone(latency[name])}
          />
        ))}
      </dl>
    </>
  );
}
