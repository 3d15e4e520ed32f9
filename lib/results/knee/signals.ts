import { sum } from "../../base/values/sum.ts";
import type { AgentPoint } from "../samples/agent_rates.ts";
import type { Stretch } from "./break.ts";

/** The mean of a figure over a stretch of the run. */
export interface Reading {
  readonly value: number;
  /** The middle of what it was read over, in milliseconds since the start. */
  readonly atMs: number;
}

/** Something before the break and at it; absent where there is none. */
export interface Course<T> {
  /** As the ramp began, or at the lowest level. */
  readonly first?: T;
  /** Just before the break, or at the highest level that held. */
  readonly before?: T;
  /** At the break. */
  readonly broken?: T;
}

/** A figure over the course of a run, or from level to level. */
export type Signal = Course<Reading>;

/** What `of` gives of each part of a course. */
export function courseOf<T, Part>(
  parts: Course<T>,
  of: (part: T) => Part | undefined,
): Course<Part> {
  const known = Object.entries(parts).flatMap(([name, part]) => {
    const each = of(part);
    return each === undefined ? [] : [[name, each]];
  });
  return Object.fromEntries(known);
}

/** What a break is explained with. All are shares, 1 being all there is. */
export interface Signals {
  readonly cpu: Signal;
  readonly memory: Signal;
  /** Of the last minute, and so behind what it shows. */
  readonly load: Signal;
  /** Of the iterations. */
  readonly throttleRate: Signal;
  /** Cores of the machine, where its agent says how many. */
  readonly cores?: number;
}

/** The mean of one figure of the machine over each of the stretches. */
export function signalOf(
  points: readonly AgentPoint[],
  pick: "cpu" | "memory" | "load",
  stretches: Course<Stretch>,
): Signal {
  return courseOf(stretches, (stretch) => meanOf(points, pick, stretch));
}

function meanOf(
  points: readonly AgentPoint[],
  pick: "cpu" | "memory" | "load",
  { fromMs, toMs }: Stretch,
): Reading | undefined {
  const read = points.filter((each) =>
    each.midMs >= fromMs && each.midMs < toMs && each[pick] !== undefined
  );
  if (read.length === 0) return undefined;
  const mean = (of: (point: AgentPoint) => number) =>
    sum(read, of) / read.length;
  return {
    value: mean((each) => each[pick]!),
    atMs: mean(({ midMs }) => midMs),
  };
}
