import type { Markup } from "../markup/markup.ts";
import { coordinate } from "./axis.ts";

/** A few values as a line without axes; the last one is marked. */
export function sparkline(values: readonly number[]): Markup | undefined {
  if (values.length < 2) return;
  const top = Math.max(...values) || 1;
  const x = (i: number) => coordinate(2 + i / (values.length - 1) * 56);
  const y = (value: number) => coordinate(14 - value / top * 12);
  const path = values.map((value, i) =>
    `${i === 0 ? "M" : "L"}${x(i)} ${y(value)}`
  )
    .join("");
  return (
    <svg class="spark" viewBox="0 0 60 16" aria-hidden="true">
      <path class="line c0" fill="none" stroke="#0072B2" d={path} />
      <circle
        class="fill0"
        fill="#0072B2"
        cx={x(values.length - 1)}
        cy={y(values.at(-1)!)}
        r="2"
      />
    </svg>
  );
}
