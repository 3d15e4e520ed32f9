import type { Threshold } from "../../language/ir.ts";
import { sum } from "../../base/values/sum.ts";

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

/** A threshold's own figure over some seconds; undefined without samples. */
export type ReadingOf = (
  threshold: Threshold,
  seconds: readonly KneeSecond[],
) => { readonly actual: number; readonly pass: boolean } | undefined;

/** Seconds that are judged together. */
export interface Window {
  readonly seconds: readonly KneeSecond[];
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
export function windowsOf(
  seconds: readonly KneeSecond[],
): Window[] {
  const lastStart = seconds.findLastIndex((each) => each.started > 0);
  const windows: Window[] = [];
  let open: KneeSecond[] = [];
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
  left: Window,
  before: Window,
): boolean {
  return left.toMs - left.fromMs >= 2_000 && paceOf(left) < paceOf(before) / 2;
}

/** Iterations a second. */
export function paceOf(
  { completed, fromMs, toMs }: Window,
): number {
  return completed / (toMs - fromMs) * 1_000;
}

function windowOf(seconds: readonly KneeSecond[]): Window {
  const [first] = seconds;
  return {
    seconds,
    vus: first!.vus,
    fromMs: first!.t * 1_000,
    toMs: (seconds.at(-1)!.t + 1) * 1_000,
    completed: sum(seconds, (each) => each.completed),
  };
}
