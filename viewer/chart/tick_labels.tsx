import type { Markup } from "../markup/markup.ts";
import { coordinate } from "./scale.ts";
import type { Tick } from "./time_axis.ts";

/**
 * The words along an axis, each at its position. Positions are percentages, so that
 * the letters keep their shape at any width.
 */
export function TickLabels(
  { ticks, start, end }: {
    ticks: readonly Tick[];
    start: number;
    end: number;
  },
): Markup {
  const span = end - start || 1;
  return (
    <svg class="x" aria-hidden="true">
      {ticks.map(({ at, label }) => {
        const share = (at - start) / span;
        return (
          <text
            x={`${coordinate(share * 100)}%`}
            y="12"
            text-anchor={share < 0.04
              ? "start"
              : share > 0.96
              ? "end"
              : "middle"}
          >
            {label}
          </text>
        );
      })}
    </svg>
  );
}
