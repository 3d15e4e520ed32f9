import { sum } from "../../base/values/sum.ts";
import type { Threshold } from "../../language/ir.ts";

/** One second of a run, as the knee reads it. */
export interface KneeSecond {
  /** Whole seconds since the run started; seconds follow one another. */
  readonly t: number;
  readonly vus: number;
  /** The rate that was offered, where the load is one that changes. */
  readonly offered?: number;
  /** Iterations. */
  readonly started: number;
  readonly completed: number;
  readonly iterations_failed: number;
  readonly iterations_throttled: number;
  readonly bytes_received: number;
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
  readonly offered?: number;
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
function paceOf(
  { completed, fromMs, toMs }: Window,
): number {
  return completed / (toMs - fromMs) * 1_000;
}

function windowOf(seconds: readonly KneeSecond[]): Window {
  const [first] = seconds;
  return {
    seconds,
    vus: first!.vus,
    ...(first!.offered !== undefined && { offered: first!.offered }),
    fromMs: first!.t * 1_000,
    toMs: (seconds.at(-1)!.t + 1) * 1_000,
    completed: sum(seconds, (each) => each.completed),
  };
}

/** Where a run broke. */
interface Break {
  readonly threshold: Threshold;
  /** All windows before it; none when the run was never well. */
  readonly calm: readonly Window[];
  /** Windows in a row that break the threshold, the knee first. */
  readonly broken: readonly [Window, ...Window[]];
  /** The first window after those in which it holds again. */
  readonly recovered?: Window;
}

/**
 * The first level at which one of `thresholds` is broken in two windows
 * running; a single bad window is no knee. A target that stops responding leaves
 * no second window: then one is enough, when it is the last of the run.
 */
export function findBreak(
  thresholds: readonly Threshold[],
  windows: readonly Window[],
  readingOf: ReadingOf,
): Break | undefined {
  let first: { threshold: Threshold; at: number; bad: boolean[] } | undefined;
  for (const threshold of thresholds) {
    const passes = (seconds: readonly KneeSecond[]) =>
      readingOf(threshold, seconds)?.pass;
    const bad = windows.map(({ seconds }) => passes(seconds) === false);
    const at = bad.findIndex((each, index) =>
      each && (bad[index + 1] ?? nothingMore(windows, index, passes))
    );
    if (at >= 0 && (!first || at < first.at)) first = { threshold, at, bad };
  }
  if (!first) return undefined;
  const { threshold, at, bad } = first;
  const end = bad.indexOf(false, at);
  const recovered = end < 0 ? undefined : windows[end];
  return {
    threshold,
    calm: windows.slice(0, at),
    broken: [
      windows[at]!,
      ...windows.slice(at + 1, end < 0 ? windows.length : end),
    ],
    ...(recovered && { recovered }),
  };
}

/**
 * Whether the last window is one long stall, or the only one of a run that broke
 * from the start: one with a second in it that was well broke at a later level.
 */
function nothingMore(
  windows: readonly Window[],
  index: number,
  passes: (seconds: readonly KneeSecond[]) => boolean | undefined,
): boolean {
  const last = windows[index]!;
  const before = windows[index - 1];
  if (!before) return !last.seconds.some((second) => passes([second]));
  const late = last.completed - (last.seconds[0]?.completed ?? 0);
  return paceOf(last) < paceOf(before) / 2 && late >= last.vus / 2;
}

/** A part of the run, in milliseconds since its start. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows that a break is explained with. */
export interface BreakWindows {
  /** As the ramp began; none when the run was never well. */
  readonly first: readonly Window[];
  /** The last ones before the break. */
  readonly before: readonly Window[];
  /** At the break; the knee first. */
  readonly broken: readonly [Window, ...Window[]];
}

/** Windows after the break whose readings are its own and not of what followed. */
const AT_THE_BREAK = 5;
/** The part of the calm windows that is their beginning, and their end. */
const EDGE = 1 / 8;

/**
 * The beginning of the ramp, the end of what was calm, and the break. The edges
 * grow with the run, so that a slow ramp moves something between them.
 */
export function windowsAround(
  { calm, broken }: Break,
): BreakWindows {
  const edge = Math.max(1, Math.floor(calm.length * EDGE));
  return {
    first: calm.slice(0, edge),
    before: calm.slice(-Math.max(2, edge)),
    broken: [broken[0], ...broken.slice(1, AT_THE_BREAK)],
  };
}

/** The span of some neighbouring windows. */
export function stretchOf(
  windows: readonly Window[],
): Stretch | undefined {
  const [first] = windows;
  return first && { fromMs: first.fromMs, toMs: windows.at(-1)!.toMs };
}
