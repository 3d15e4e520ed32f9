import { stepClass } from "../model/steps.ts";
import type { WaterfallRow } from "../model/waterfall.ts";

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
