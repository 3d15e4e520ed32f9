import { sum } from "../../base/values/sum.ts";
import type { AgentPoint } from "../samples/agent_rates.ts";
import type { Stretch } from "./break.ts";

/** The mean of a figure over a stretch of the run. */
export interface Reading {
  readonly value: number;
  /** The middle of what it was read over, in milliseconds since the start. */
  readonly atMs: number;
}

/** A figure before the break and at it; absent where there is no reading. */
export interface Signal {
  /** As the ramp began. */
  readonly first?: Reading;
  /** Just before the break. */
  readonly before?: Reading;
  /** At the break. */
  readonly broken?: Reading;
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
  stretches: { readonly [Name in keyof Signal]?: Stretch },
): Signal {
  const readings = Object.entries(stretches).flatMap(([name, stretch]) => {
    const reading = meanOf(points, pick, stretch);
    return reading ? [[name, reading]] : [];
  });
  return Object.fromEntries(readings);
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
