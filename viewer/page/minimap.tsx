import { coordinate } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import { stepClass } from "../model/steps.ts";
import { chunks } from "../model/timeline.ts";
import { isBad, type WaterfallRow } from "../model/waterfall.ts";

const HEIGHT = 24;

/** Marks that a strip has room for. */
const MOST = 250;

/**
 * All steps of a long waterfall in one strip that stays in sight; a click leads
 * to the step. It repeats what the lines say, so that only pointers need it. Of
 * very many steps neighbours are one mark, which looks like the worst of them.
 *
 * @param href of a span, by its number
 */
export function minimap(
  rows: readonly WaterfallRow[],
  ids: readonly string[],
  { x, start, total }: WaterfallScale,
  href: (span: number) => string | undefined,
): Markup {
  const steps = rows.filter(({ kind }) => kind === "step");
  return (
    <svg
      class="minimap"
      viewBox={`0 0 ${coordinate(x(start + total))} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {chunks(steps, Math.ceil(steps.length / MOST)).map((group) => {
        const row = group.find(isBad) ?? group[0]!;
        const from = Math.min(...group.map(({ span }) => x(span.start_us)));
        const to = Math.max(
          ...group.map(({ span }) => x(span.start_us + span.duration_us)),
        );
        const width = coordinate(Math.max(1, to - from));
        const top = isBad(row) ? 0 : 6;
        return (
          <a href={href(row.number)} tabindex="-1">
            <path
              class={classOf(row, ids)}
              fill="#777"
              d={`M${coordinate(from)} ${top}h${width}v${
                HEIGHT - 2 * top
              }h-${width}z`}
            />
          </a>
        );
      })}
    </svg>
  );
}

/** Where the bars of a waterfall stand. */
export interface WaterfallScale {
  /** From microseconds of the run to units of the picture. */
  x(us: number): number;
  readonly start: number;
  readonly total: number;
}

/** The colour of a bar: phases, outcomes and steps are three families. */
export function classOf(
  { span, kind, step }: WaterfallRow,
  ids: readonly string[],
): string {
  if (kind === "phase" || kind === "backoff") return `p-${span.name}`;
  if (span.outcome !== undefined && span.outcome !== "passed") {
    return span.outcome;
  }
  return `fill-${stepClass(ids, step)}`;
}
