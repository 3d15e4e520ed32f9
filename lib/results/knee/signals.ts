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

/** So far from a stretch a reading still stands for it: the scrapes in it were lost. */
const NEAR_MS = 2_000;

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
  stretch: Stretch,
): Reading | undefined {
  const known = points.filter((each) => each[pick] !== undefined)
    .map((point) => partOf(point, point[pick]!, stretch));
  const inside = known.filter(({ weight }) => weight > 0);
  if (inside.length === 0) {
    const [nearest] = known.toSorted((a, b) => a.awayMs - b.awayMs);
    return nearest && nearest.awayMs <= NEAR_MS ? nearest : undefined;
  }
  const whole = sum(inside, ({ weight }) => weight);
  const mean = (of: (part: Reading) => number) =>
    sum(inside, (each) => of(each) * each.weight) / whole;
  return { value: mean(({ value }) => value), atMs: mean(({ atMs }) => atMs) };
}

/** What a point says of a stretch: it counts by how much of it lies in there. */
function partOf(point: AgentPoint, value: number, stretch: Stretch) {
  const fromMs = Math.max(point.fromMs, stretch.fromMs);
  const toMs = Math.min(point.tMs, stretch.toMs);
  const isMoment = point.fromMs === point.tMs && toMs >= fromMs;
  return {
    value,
    atMs: (fromMs + toMs) / 2,
    weight: isMoment ? 1 : Math.max(0, toMs - fromMs),
    awayMs: Math.max(0, fromMs - toMs),
  };
}
