import type { Markup } from "../markup/markup.ts";

/** What a chart has that a legend names. */
interface Named {
  readonly lines: readonly Label[];
  readonly limits?: readonly Omit<Label, "colour">[];
  readonly marks?: readonly Omit<Label, "colour">[];
  readonly shades?: readonly Omit<Label, "colour">[];
}

interface Label {
  readonly label: string;
  /** Index into the palette. */
  readonly colour: number;
}

/** What each line, mark and area of a chart means. */
export function Legend(
  { chart: { lines, limits = [], marks = [], shades = [] } }: { chart: Named },
): Markup {
  return (
    <p class="legend">
      {lines.map((line) => (
        <span class="key">
          <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true">
            <path class={`line c${line.colour}`} d="M0 4H26" />
          </svg>
          {line.label}
        </span>
      ))}
      {limits.map(({ label }) => key("limit", "M0 4H26", label))}
      {marks.map(({ label }) => key("mark", "M13 0V8", label))}
      {shades.map(({ label }) => key("shade", "M0 0H26V8H0z", label))}
    </p>
  );
}

/** What a line across or down the chart, or an area of it, means. */
function key(
  kind: "limit" | "mark" | "shade",
  path: string,
  label: string,
): Markup {
  return (
    <span class={`key of-${kind}`}>
      <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true">
        <path class={kind} d={path} />
      </svg>
      {label}
    </span>
  );
}
