import type { Threshold } from "../../language/ir.ts";
import { paceOf, type ReadingOf, type Window } from "./windows.ts";

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
    const bad = windows.map(({ seconds }) =>
      readingOf(threshold, seconds)?.pass === false
    );
    const at = bad.findIndex((each, index) =>
      each && (bad[index + 1] ?? nothingMore(windows, index))
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

/** Whether the last window is the only one of the run, or one long stall. */
function nothingMore(
  windows: readonly Window[],
  index: number,
): boolean {
  const last = windows[index]!;
  const before = windows[index - 1];
  if (!before) return true;
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
/** What of the calm windows is its beginning, and what its end. */
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

/** What some neighbouring windows span. */
export function stretchOf(
  windows: readonly Window[],
): Stretch | undefined {
  const [first] = windows;
  return first && { fromMs: first.fromMs, toMs: windows.at(-1)!.toMs };
}
