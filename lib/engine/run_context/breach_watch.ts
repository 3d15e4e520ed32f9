import { type Figures, METRICS } from "../../model/metrics.ts";
import { sum } from "../../base/values/sum.ts";
import type { Threshold } from "../../language/ir.ts";
import {
  formatThreshold,
  limitOf,
} from "../../language/expressions/threshold.ts";
import { latencyOf } from "../../results/histograms/fine_buckets.ts";
import type { Progress } from "../../results/record/recorder.ts";
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

/**
 * Looks at a run while it goes on, and says when a threshold cannot be met any
 * more, or was broken in three windows running. Thresholds of a step are left
 * out: the seconds of a run know no steps.
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
    this.#watches = thresholds.filter(({ step }) => step === undefined)
      .map((threshold) => ({ threshold, open: [], broken: 0 }));
  }

  /**
   * To be called about once a second.
   *
   * @param parts the progress of each thread
   * @returns why the run should end, when it should
   */
  note(parts: readonly Progress[]): string | undefined {
    const lost = this.#lost(parts);
    if (lost !== undefined) return lost;
    const fresh = this.#fresh(parts);
    if (fresh && this.mayRecover) this.#all.push(fresh);
    for (const watch of this.#watches) {
      if (fresh) watch.open.push(fresh);
      if (!isWindow(watch)) continue;
      watch.broken = isBroken(watch.threshold, watch.open)
        ? watch.broken + 1
        : 0;
      watch.open = [];
      if (watch.broken < IN_A_ROW) continue;
      if (this.mayRecover && !isBroken(watch.threshold, this.#all)) continue;
      return `\`${
        formatThreshold(watch.threshold)
      }\` was broken in ${IN_A_ROW} windows running`;
    }
  }

  /** The seconds that threads reported since, put together. */
  #fresh(parts: readonly Progress[]): SecondData | undefined {
    const seconds = parts.flatMap(({ second }, thread) => {
      if (!second || second.t <= (this.#seen[thread] ?? -1)) return [];
      this.#seen[thread] = second.t;
      return [[{ ...second, t: 0 }]];
    });
    return seconds.length === 0 ? undefined : mergeSeconds(seconds)[0];
  }

  /** A threshold that cannot hold any more, whatever the rest of the run is. */
  #lost(parts: readonly Progress[]): string | undefined {
    if (this.iterations === undefined) return;
    for (const { threshold } of this.#watches) {
      const { metric, op } = threshold;
      const key = METRICS[metric].counts;
      if (!key) continue;
      const hits = sum(parts, ({ iterations }) => iterations[key]);
      const most = limitOf(threshold) * this.iterations;
      const over = op === "<" ? hits >= most : op === "<=" && hits > most;
      if (!over || hits === 0) continue;
      return `\`${
        formatThreshold(threshold)
      }\` cannot be met any more: ${hits} of ${this.iterations} iterations ${key}`;
    }
  }
}

function isBroken(
  threshold: Threshold,
  seconds: readonly SecondData[],
): boolean {
  return measure(threshold, figuresOf(seconds))?.pass === false;
}

function isWindow({ threshold, open }: Watch): boolean {
  if (open.length < WINDOW_SECONDS) return false;
  if (sum(open, (each) => each.completed) < WINDOW_ITERATIONS) return false;
  if (!("stat" in threshold)) return true;
  const percentile = /^p(\d+)$/.exec(threshold.stat)?.[1];
  const least = percentile === undefined || percentile === "100"
    ? 1
    : leastSamples(Number(percentile));
  return latencyOf(open).count >= least;
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
