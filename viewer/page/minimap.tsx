import { coordinate } from "../chart/scale.ts";
import type { Markup } from "../markup/markup.ts";
import type { WaterfallRow } from "../model/waterfall.ts";
import { classOf, isBad, type WaterfallScale } from "./span_bar.ts";

const HEIGHT = 24;

/**
 * All steps of a long waterfall in one strip that stays in sight; a click leads
 * to the step. It repeats what the lines say, so that only pointers need it.
 */
export function minimap(
  rows: readonly WaterfallRow[],
  ids: readonly string[],
  { x, start, total }: WaterfallScale,
): Markup {
  const steps = rows.filter(({ kind }) => kind === "step");
  return (
    <svg
      class="minimap"
      viewBox={`0 0 ${coordinate(x(start + total))} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {steps.map((row) => {
        const { span, number } = row;
        const from = x(span.start_us);
        const width = Math.max(1, x(span.start_us + span.duration_us) - from);
        const top = isBad(row) ? 0 : 6;
        return (
          <a href={`#span-${number}`} tabindex="-1">
            <path
              class={classOf(row, ids)}
              fill="#777"
              d={`M${coordinate(from)} ${top}h${coordinate(width)}v${
                HEIGHT - 2 * top
              }h-${coordinate(width)}z`}
            />
          </a>
        );
      })}
    </svg>
  );
}
