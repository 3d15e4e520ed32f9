import type { Markup } from "../markup/markup.ts";
import { PHASES } from "../model/phase_shares.ts";

/** Presentation attributes: what a bar is filled with where no style sheet is. */
export const PHASE_FILLS: Readonly<Record<string, string>> = {
  dns: "#B55A8C",
  connect: "#A96F00",
  tls: "#2E86C1",
  ttfb: "#009E73",
  transfer: "#0072B2",
  backoff: "#8a8f98",
  rest: "#c8ccd2",
};

/** The colours of phases, each with its name. */
export function phaseLegend(): Markup {
  return (
    <p class="legend phases">
      {PHASES.map((name) => (
        <span class="key">
          <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true">
            <path
              class={`p-${name}`}
              fill={PHASE_FILLS[name]!}
              d="M0 0h26v8H0z"
            />
          </svg>
          {name}
        </span>
      ))}
    </p>
  );
}
