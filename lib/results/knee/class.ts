import { sum } from "../../base/values/sum.ts";
import type { Knee } from "../../model/result/run.ts";
import type { AgentPoint } from "../samples/agent_rates.ts";
import type { Stretch } from "./windows.ts";

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

/** The result of `of` for each part of a course. */
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

/** The signals that explain a break. All are fractions, 1 being all there is. */
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

/** The weight of a point in a stretch: how much of it lies in there. */
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

/** A share of capacity by which use has to rise since the ramp began to count. */
const CLIMB = 0.2;
/** Use from which on little is left: it counts there even when it rises no more. */
const NEARLY_ALL = 0.85;
/** A share of the iterations by which throttles have to rise to count. */
const THROTTLE_RISE = 0.05;
/** How near to a whole number of cores use has to be. */
const NEAR_A_CORE = 0.15;

/** A class, and why it was chosen. */
interface Classification {
  readonly class: Knee["class"];
  readonly reason: string;
}

/**
 * Why a run broke (specification, "Knee classification"): `degraded` when the
 * machine's use climbed with the break, `throttled` when throttles rose while
 * it stayed flat, else `inconclusive`.
 *
 * @param attached whether an agent gave a reading at any time of the run
 */
export function classifyWindow(
  signals: Signals,
  attached: boolean,
): Classification {
  if (!attached) return inconclusive("no agent was attached");
  const { cpu, throttleRate } = signals;
  const climbed = climbs(signals);
  const rise = growth(throttleRate) ?? 0;
  const throttled = rise >= THROTTLE_RISE - ROUNDING;
  if (throttleRate.first === undefined) {
    return inconclusive(
      "it was breached from the start, so there is nothing to compare with",
    );
  }
  if (climbed.length > 0) {
    const reason = climbed.join(", ");
    return throttled
      ? inconclusive(
        `mixed signals: ${reason}, and throttle_rate rose by ${points(rise)}`,
      )
      : { class: "degraded", reason };
  }
  if (growth(cpu) === undefined) {
    return inconclusive(
      "the agent gave no CPU reading to compare before and at the break",
    );
  }
  return throttled
    ? {
      class: "throttled",
      reason: `throttle_rate rose by ${
        points(rise)
      } while CPU, memory and load stayed flat`,
    }
    : inconclusive(
      [
        "neither the machine's use nor throttle_rate rose with it",
        ...highFromTheStart(cpu),
        ...oneCore(signals),
      ].join("; "),
    );
}

function inconclusive(reason: string): Classification {
  return { class: "inconclusive", reason };
}

/** Sums of binary fractions: a rise of exactly 0.2 must count. */
const ROUNDING = 1e-9;

function climbs({ cpu, memory, load }: Signals): string[] {
  return ([
    ["CPU", cpu, isRising(cpu)],
    ["memory", memory, isRising(memory)],
    // A mean of the last minute goes on rising after what it shows has stopped.
    ["load", load, false],
  ] as const).flatMap(([name, signal, rising]) => {
    const by = growth(signal);
    if (by === undefined || by < CLIMB - ROUNDING) return [];
    return rising || signal.broken!.value >= NEARLY_ALL - ROUNDING
      ? [`${name} climbed by ${points(by)}`]
      : [];
  });
}

/** The notes on resources that were used up before the run began: it is not their cause. */
function highFromTheStart({ first, broken }: Signal): string[] {
  return first && broken && broken.value >= NEARLY_ALL - ROUNDING
    ? [`CPU was at ${Math.round(first.value * 100)}% as the ramp began`]
    : [];
}

/** A program of one thread is at its end when it has one core of several. */
function oneCore({ cpu: { broken }, cores }: Signals): string[] {
  if (!broken || cores === undefined || cores < 2) return [];
  return Math.abs(broken.value * cores - 1) > NEAR_A_CORE
    ? []
    : [`one of ${cores} cores was busy: single-threaded?`];
}

/** Percentage points. */
function points(share: number): string {
  return `${Math.round(share * 100)} points`;
}

/** How far a figure rose since the ramp began; undefined without both readings. */
function growth({ first, before, broken }: Signal): number | undefined {
  const from = first ?? before;
  return from && broken && broken.value - from.value;
}

/**
 * Whether a figure was still rising as the run broke: at half the pace or more at
 * which it had risen until then. One that stood still before the break was not
 * what broke.
 */
function isRising({ first, before, broken }: Signal): boolean {
  if (!before || !broken) return true;
  const pace = paceOf(first ?? before, before);
  return broken.value > before.value &&
    paceOf(before, broken) >= Math.max(0, pace) / 2;
}

function paceOf(from: Reading, to: Reading): number {
  return to.atMs > from.atMs
    ? (to.value - from.value) / (to.atMs - from.atMs)
    : 0;
}
