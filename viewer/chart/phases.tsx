import type { Markup } from "../markup/markup.ts";
import { Swatch } from "./frame.tsx";

/** Presentation attributes: what a bar is filled with where no style sheet is. */
export const PHASE_FILLS: Readonly<Record<string, string>> = {
  dns: "#8f7bc0",
  connect: "#7559b0",
  tls: "#54388f",
  ttfb: "#4a6274",
  transfer: "#76899a",
  backoff: "#565c66",
};

/** The colours of phases, each with its name. */
export function phaseLegend(): Markup {
  return (
    <p class="legend phases">
      {Object.entries(PHASE_FILLS).map(([name, fill]) => (
        <span class="key">
          <Swatch kind={`p-${name}`} fill={fill} />
          {name}
        </span>
      ))}
    </p>
  );
}
