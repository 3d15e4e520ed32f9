import { type Figures, METRICS } from "../../model/metrics.ts";
import { sum } from "../../base/values/sum.ts";
import type { Threshold } from "../../language/ir.ts";
import {
  formatThreshold,
  limitOf,
} from "../../language/expressions/threshold.ts";
import { latencyOf } from "../../results/histograms/fine_buckets.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { PartFigures } from "../../results/record/part_figures.ts";
import { countText } from "../../results/report/figures.ts";
import { mergeSeconds, type SecondData } from "../../results/record/series.ts";
import { measure } from "../../results/report/thresholds.ts";
import { leastSamples } from "../../results/statistics/sample_floor.ts";

/** Windows in a row that break a threshold, before the run ends. */
const IN_A_ROW = 3;
/** A window is at least so long, and has at least so many iterations. */
const WINDOW_SECONDS = 5;
const WINDOW_ITERATIONS = 20;

/** The seconds that one threshold saw since its last window was closed. */
interface Watch {
  readonly threshold: Threshold;
  open: SecondData[];
  broken: number;
}

/** The figures of steps and flows so far; undefined where none came yet. */
type PartsSoFar = () => PartFigures | undefined;

/**
 * Looks at a run while it goes on, and says when a threshold cannot be met any
 * more, or was broken in three windows running.
 */
export class BreachWatch {
  readonly #watches: Watch[];
  /** The last whole second that each thread reported. */
  readonly #seen: number[] = [];
  /** Every second, where the whole run is looked at. */
  readonly #all: SecondData[] = [];

  /**
   * @param iterations how many the run will have, when it is known
   * @param mayRecover its load falls again: then a threshold has to be broken over
   *   all of it too
   */
  constructor(
    thresholds: readonly Threshold[],
    readonly iterations: number | undefined,
    readonly mayRecover = false,
  ) {
    this.#watches = thresholds
      .map((threshold) => ({ threshold, open: [], broken: 0 }));
  }

  /** Whether a window of a step or a flow may end with this second. */
  wantsParts(): boolean {
    return this.#watches.some(({ threshold, open }) =>
      threshold.step !== undefined &&
      open.length % WINDOW_SECONDS === WINDOW_SECONDS - 1
    );
  }

  /**
   * To be called about once a second.
   *
   * @param parts the progress of each thread
   * @param partsSoFar with the latencies up to now, when `wantsParts` said so
   * @returns why the run should end, when it should
   */
  note(
    parts: readonly Progress[],
    partsSoFar: PartsSoFar = () => undefined,
  ): string | undefined {
    const lost = this.#lost(parts);
    if (lost !== undefined) return lost;
    const fresh = this.#fresh(parts);
    if (fresh && this.mayRecover) this.#all.push(fresh);
    let partFigures: PartFigures | undefined;
    for (const watch of this.#watches) {
      const { threshold, open } = watch;
      const { step } = threshold;
      if (fresh) open.push(fresh);
      if (open.length < WINDOW_SECONDS) continue;
      if (step !== undefined) {
        // Latencies of steps are put together no more often than that.
        if (open.length % WINDOW_SECONDS !== 0) continue;
        partFigures ??= partsSoFar();
      }
      const figures = (seconds: readonly SecondData[]) =>
        step === undefined ? figuresOf(seconds) : partFigures?.(step, seconds);
      const own = figures(open);
      if (!own || !isWindow(watch, own)) continue;
      watch.broken = isBroken(threshold, own) ? watch.broken + 1 : 0;
      watch.open = [];
      if (watch.broken < IN_A_ROW) continue;
      if (this.mayRecover && !isBroken(threshold, figures(this.#all))) continue;
      return `\`${
        formatThreshold(threshold)
      }\` was broken in ${IN_A_ROW} windows running`;
    }
  }

  /** The seconds that threads reported since, put together. */
  #fresh(parts: readonly Progress[]): SecondData | undefined {
    const seconds = parts.flatMap(({ second }, thread) => {
      if (!second || second.t <= (this.#seen[thread] ?? -1)) return [];
      this.#seen[thread] = second.t;
      return [second];
    });
    const [merged] = mergeSeconds(seconds.map((each) => [{ ...each, t: 0 }]));
    return merged && { ...merged, t: seconds[0]!.t };
  }

  /** A threshold that cannot hold any more, whatever the rest of the run is. */
  #lost(parts: readonly Progress[]): string | undefined {
    if (this.iterations === undefined) return;
    for (const { threshold } of this.#watches) {
      const { metric, op, step } = threshold;
      const key = METRICS[metric].counts;
      if (!key || step !== undefined) continue;
      const hits = sum(parts, ({ iterations }) => iterations[key]);
      const most = limitOf(threshold) * this.iterations;
      const over = op === "<" ? hits >= most : op === "<=" && hits > most;
      if (!over || hits === 0) continue;
      return `\`${formatThreshold(threshold)}\` cannot be met any more: ${
        countText(hits)
      } of ${countText(this.iterations)} iterations ${key}`;
    }
  }
}

function isBroken(threshold: Threshold, figures: Figures | undefined): boolean {
  return figures !== undefined && measure(threshold, figures)?.pass === false;
}

/** Whether the seconds of a watch are enough to judge. */
function isWindow({ threshold, open }: Watch, { latency }: Figures): boolean {
  if (sum(open, (each) => each.completed) < WINDOW_ITERATIONS) return false;
  if (!("stat" in threshold)) return true;
  const percentile = /^p(\d+)$/.exec(threshold.stat)?.[1];
  const least = percentile === undefined || percentile === "100"
    ? 1
    : leastSamples(Number(percentile));
  return latency.count >= least;
}

function figuresOf(seconds: readonly SecondData[]): Figures {
  return {
    completed: sum(seconds, (each) => each.completed),
    failed: sum(seconds, (each) => each.iterations_failed),
    throttled: sum(seconds, (each) => each.iterations_throttled),
    latency: latencyOf(seconds),
    bytes: sum(seconds, (each) => each.bytes_received),
    seconds: seconds.length,
  };
}
