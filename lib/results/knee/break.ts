import type { Threshold } from "../../language/ir.ts";
import {
  breaks,
  type KneeSecond,
  type LatencyOf,
  paceOf,
  type Window,
} from "./windows.ts";

/** Where a run broke. */
export interface Break<S extends KneeSecond> {
  readonly threshold: Threshold;
  /** All windows before it; none when the run was never well. */
  readonly calm: readonly Window<S>[];
  /** Windows in a row that break the threshold, the knee first. */
  readonly broken: readonly [Window<S>, ...Window<S>[]];
  /** The first window after those in which it holds again. */
  readonly recovered?: Window<S>;
}

/**
 * The first level at which one of `thresholds` is broken in two windows
 * running; a single bad window is no knee. A target that stops responding leaves
 * no second window: then one is enough, when it is the last of the run.
 */
export function findBreak<S extends KneeSecond>(
  thresholds: readonly Threshold[],
  windows: readonly Window<S>[],
  latencyOf: LatencyOf<S>,
): Break<S> | undefined {
  let first: { threshold: Threshold; at: number; bad: boolean[] } | undefined;
  for (const threshold of thresholds) {
    const bad = windows.map(({ seconds }) =>
      breaks(threshold, seconds, latencyOf)
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
function nothingMore<S extends KneeSecond>(
  windows: readonly Window<S>[],
  index: number,
): boolean {
  const last = windows[index]!;
  const before = windows[index - 1];
  if (!before) return true;
  const late = last.completed - (last.seconds[0]?.completed ?? 0);
  return paceOf(last) < paceOf(before) / 2 && late >= last.vus / 2;
}
