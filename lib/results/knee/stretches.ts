import type { Break } from "./break.ts";
import type { KneeSecond, Window } from "./windows.ts";

/** A part of the run, in milliseconds since its start. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows that a break is explained with. */
export interface BreakWindows<S extends KneeSecond> {
  /** As the ramp began; none when the run was never well. */
  readonly first: readonly Window<S>[];
  /** The last ones before the break. */
  readonly before: readonly Window<S>[];
  /** At the break. */
  readonly broken: readonly Window<S>[];
}

/** Windows after the break whose readings are its own and not of what followed. */
const AT_THE_BREAK = 5;
/** What of the calm windows is its beginning, and what its end. */
const EDGE = 1 / 8;

/**
 * The beginning of the ramp, the end of what was calm, and the break. The edges
 * grow with the run, so that a slow ramp moves something between them.
 */
export function windowsAround<S extends KneeSecond>(
  { calm, broken }: Break<S>,
): BreakWindows<S> {
  const edge = Math.max(1, Math.floor(calm.length * EDGE));
  return {
    first: calm.slice(0, edge),
    before: calm.slice(-Math.max(2, edge)),
    broken: broken.slice(0, AT_THE_BREAK),
  };
}

/** What some neighbouring windows span. */
export function stretchOf(
  windows: readonly Window<KneeSecond>[],
): Stretch | undefined {
  const [first] = windows;
  return first && { fromMs: first.fromMs, toMs: windows.at(-1)!.toMs };
}
