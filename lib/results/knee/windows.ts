import type { Threshold } from "../../language/ir.ts";
import type { Distribution } from "../../model/result/totals.ts";
import { sum } from "../../base/values/sum.ts";
import { measure } from "../report/thresholds.ts";

/** What the knee reads of one second of a run. */
export interface KneeSecond {
  /** Whole seconds since the run started; seconds follow one another. */
  readonly t: number;
  readonly vus: number;
  /** Iterations. */
  readonly started: number;
  readonly completed: number;
  readonly iterations_failed: number;
  readonly iterations_throttled: number;
}

/** The spread of the latencies in some seconds. */
export type LatencyOf<S extends KneeSecond> = (
  seconds: readonly S[],
) => Distribution;

/** Seconds that are judged together. */
export interface Window<S extends KneeSecond> {
  readonly seconds: readonly S[];
  /** The level at its start: a target that stalls makes its window long. */
  readonly vus: number;
  /** Milliseconds since the run started. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly completed: number;
}

/** Fewer iterations say little about a percentile or a rate. */
const LEAST_ITERATIONS = 20;

/**
 * Windows of at least one second and 20 iterations. What is left over at the
 * end belongs to the last one, and so do the seconds in which the run only
 * waited for its last iterations: those that end late are the slow ones.
 */
export function windowsOf<S extends KneeSecond>(
  seconds: readonly S[],
): Window<S>[] {
  const lastStart = seconds.findLastIndex((each) => each.started > 0);
  const windows: Window<S>[] = [];
  let open: S[] = [];
  let completed = 0;
  seconds.forEach((second, index) => {
    open.push(second);
    completed += second.completed;
    const draining = index >= lastStart && index < seconds.length - 1;
    if (completed < LEAST_ITERATIONS || draining) return;
    windows.push(windowOf(open));
    open = [];
    completed = 0;
  });
  if (open.length === 0 || (windows.length === 0 && completed === 0)) {
    return windows;
  }
  const left = windowOf(open);
  const last = windows.at(-1);
  if (last && completed > 0 && isStall(left, last)) return [...windows, left];
  return [...windows.slice(0, -1), windowOf([...last?.seconds ?? [], ...open])];
}

/** Few iterations in a long time are no leftover: the target stalls. */
function isStall(
  left: Window<KneeSecond>,
  before: Window<KneeSecond>,
): boolean {
  return left.toMs - left.fromMs >= 2_000 && paceOf(left) < paceOf(before) / 2;
}

/** Whether the threshold is broken in these seconds; unsaid without samples. */
export function breaks<S extends KneeSecond>(
  threshold: Threshold,
  seconds: readonly S[],
  latencyOf: LatencyOf<S>,
): boolean {
  return readingOf(threshold, seconds, latencyOf)?.pass === false;
}

/** The threshold's own figure over these seconds; undefined without samples. */
export function readingOf<S extends KneeSecond>(
  threshold: Threshold,
  seconds: readonly S[],
  latencyOf: LatencyOf<S>,
): { readonly actual: number; readonly pass: boolean } | undefined {
  return measure(threshold, {
    completed: sum(seconds, (each) => each.completed),
    failed: sum(seconds, (each) => each.iterations_failed),
    throttled: sum(seconds, (each) => each.iterations_throttled),
    latency: latencyOf(seconds),
  });
}

/** Iterations a second. */
export function paceOf(
  { completed, fromMs, toMs }: Window<KneeSecond>,
): number {
  return completed / (toMs - fromMs) * 1_000;
}

function windowOf<S extends KneeSecond>(seconds: readonly S[]): Window<S> {
  const [first] = seconds;
  return {
    seconds,
    vus: first!.vus,
    fromMs: first!.t * 1_000,
    toMs: (seconds.at(-1)!.t + 1) * 1_000,
    completed: sum(seconds, (each) => each.completed),
  };
}
