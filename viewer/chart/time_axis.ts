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
