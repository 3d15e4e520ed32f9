/** Round numbers to write along an axis that starts at 0. */
export interface Axis {
  readonly top: number;
  /** From 0 to `top`, evenly apart. */
  readonly ticks: readonly number[];
}

/** An axis that reaches at least `max`, in four steps at most. */
export function axisTo(max: number): Axis {
  if (!(max > 0) || !Number.isFinite(max)) return { top: 1, ticks: [0, 1] };
  const size = 10 ** Math.floor(Math.log10(max));
  for (const unit of [0.25, 0.5, 1, 2, 2.5, 5]) {
    const step = unit * size;
    const steps = Math.ceil(max / step - 1e-9);
    if (steps > 4) continue;
    const ticks = Array.from(
      { length: steps + 1 },
      (_, i) => Number((i * step).toPrecision(12)),
    );
    return { top: ticks.at(-1)!, ticks };
  }
  return { top: max, ticks: [0, max] };
}

/** A coordinate, short: charts have thousands of them. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}
