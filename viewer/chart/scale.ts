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
  const low = Math.floor(Math.log10(lowest(known)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(highest(known)) - 1e-9));
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

function lowest(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((a, b) => Math.min(a, b));
}

function highest(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((a, b) => Math.max(a, b));
}

/** A coordinate, short: charts have thousands of them. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}
