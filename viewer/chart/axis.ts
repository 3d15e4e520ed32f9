/** Round numbers to write along an axis. */
interface Axis {
  /** From the bottom to the top, evenly apart. */
  readonly ticks: readonly number[];
  /** How far up a value is, from 0 to 1. */
  readonly share: (value: number) => number;
}

/** What the steps of an axis may be: whole numbers, powers of 1024, or any. */
export type Steps = "any" | "whole" | "binary";

/** An axis from 0 that reaches at least `max`, in four steps at most. */
export function axisTo(max: number, steps: Steps = "any"): Axis {
  const power = steps === "binary" && max >= 1
    ? 1024 ** Math.floor(Math.log2(max) / 10)
    : 1;
  // No one counts half a byte.
  const whole = steps === "whole" || steps === "binary" && power === 1;
  const ticks = ticksTo(max / power, whole)
    .map((tick) => tick * power);
  const top = ticks.at(-1)!;
  return { ticks, share: (value) => Math.min(1, value / top) };
}

function ticksTo(max: number, whole: boolean): number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(max));
  for (const unit of [0.25, 0.5, 1, 2, 2.5, 5]) {
    const step = unit * size;
    const steps = Math.ceil(max / step - 1e-9);
    if (steps > 4 || whole && !Number.isInteger(step)) continue;
    return Array.from(
      { length: steps + 1 },
      (_, i) => Number((i * step).toPrecision(12)),
    );
  }
  return [0, whole ? Math.ceil(max) : max];
}

/** An axis of powers of ten around all values; 0 is at its foot. */
export function logAxis(values: readonly number[]): Axis {
  const known = values.filter((value) => value > 0);
  const [lowest, highest] = boundsOf(known.length === 0 ? [1] : known);
  const low = Math.floor(Math.log10(lowest));
  const high = Math.max(low + 1, Math.ceil(Math.log10(highest) - 1e-9));
  const ticks = Array.from(
    { length: high - low + 1 },
    (_, i) => Number((10 ** (low + i)).toPrecision(12)),
  );
  return {
    ticks,
    share: (value) =>
      value <= 0
        ? 0
        : Math.min(1, Math.max(0, (Math.log10(value) - low) / (high - low))),
  };
}

/** The lowest and the highest of values that may be too many for arguments. */
export function boundsOf(values: readonly number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
}

/** A coordinate, short: charts have thousands of them. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A part of the time that was unlike the rest. */
export interface Shade {
  readonly label: string;
  /** Seconds, as the chart's. */
  readonly from: number;
  readonly to: number;
}

/** A position on the axis with what is written there. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Steps that people read times by, in seconds. */
const TIME_STEPS = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1_800],
  ...[3_600, 7_200, 14_400, 21_600, 43_200, 86_400],
];

/** Times to write along an axis, `most` at the most; no two read the same. */
export function timeTicks(start: number, end: number, most = 6): Tick[] {
  return ticksBy(stepFor(TIME_STEPS, end - start, most), start, end, timeText);
}

/** Whole numbers to write along an axis, likewise. */
export function countTicks(
  start: number,
  end: number,
  text: (count: number) => string,
  most = 6,
): Tick[] {
  const powers = Array.from({ length: 10 }, (_, i) => 10 ** i);
  const steps = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return ticksBy(stepFor(steps, end - start, most), start, end, text);
}

function stepFor(steps: readonly number[], span: number, most: number): number {
  return steps.find((step) => span / step < most) ??
    Math.ceil(span / most / steps.at(-1)!) * steps.at(-1)!;
}

function ticksBy(
  step: number,
  start: number,
  end: number,
  text: (at: number) => string,
): Tick[] {
  const ticks: Tick[] = [];
  for (let i = Math.ceil(start / step - 1e-9); i * step <= end + 1e-9; i++) {
    const at = Number((i * step).toPrecision(12));
    ticks.push({ at, label: text(at) });
  }
  return ticks;
}

/** `0s`, `12.5s`, `1m30s`, `1m0.5s`: as exact as the number is. */
export function timeText(seconds: number): string {
  const exact = Number(seconds.toFixed(2));
  if (exact < 60) return `${exact}s`;
  const minutes = Math.floor(exact / 60);
  const rest = Number((exact - minutes * 60).toFixed(2));
  const parts = [
    [Math.floor(minutes / 60), "h"],
    [minutes % 60, "m"],
    [rest, "s"],
  ] as const;
  return parts.filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`).join("");
}
