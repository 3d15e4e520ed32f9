import { Scroll } from "../markup/scroll.tsx";
import type { Markup, Piece } from "../markup/markup.ts";
import { coordinate, type Tick } from "./axis.ts";

/** A piece of a chart in its legend. */
export function Swatch(
  { kind, fill, d = "M0 0h26v8H0z" }: {
    kind: string;
    fill?: string;
    d?: string;
  },
): Markup {
  return (
    <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true">
      <path class={kind} fill={fill} d={d} />
    </svg>
  );
}

/** What a line of a chart means. */
export function LineKey(
  { colour, children }: { colour: number; children?: Piece },
): Markup {
  return (
    <span class="key">
      <Swatch kind={`line c${colour}`} d="M0 4H26" />
      {children}
    </span>
  );
}

interface PlotProps {
  /** Of the coordinates in it. */
  readonly width: number;
  readonly height: number;
  /** What it shows, for who cannot see it. */
  readonly label: string;
  /** Words up the side, from the top. */
  readonly side: readonly string[];
  readonly ticks: readonly Tick[];
  readonly start: number;
  readonly end: number;
  readonly children?: Piece;
}

/** The picture of a chart between its axes. */
export function Plot(
  { width, height, label, side, ticks, start, end, children }: PlotProps,
): Markup {
  return (
    <div class="plot">
      <div class="y" aria-hidden="true">
        {side.map((each) => <span>{each}</span>)}
      </div>
      <svg
        class="area"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {children}
      </svg>
      <svg class="x" aria-hidden="true">
        {ticks.map(({ at, label }) => {
          // Percentages, so that the letters keep their shape at any width.
          const share = (at - start) / (end - start || 1);
          const anchor = share < 0.04
            ? "start"
            : share > 0.96
            ? "end"
            : "middle";
          return (
            <text x={`${coordinate(share * 100)}%`} y="12" text-anchor={anchor}>
              {label}
            </text>
          );
        })}
      </svg>
    </div>
  );
}

/** The same as a chart in figures, folded away; the first cell names its row. */
export function ChartFigures(
  { label, more = "", titles, rows }: {
    label: string;
    /** Follows the label. */
    more?: string;
    titles: readonly string[];
    rows: readonly (readonly Piece[])[];
  },
): Markup {
  return (
    <details class="figures">
      <summary>{label}{more}</summary>
      <Scroll label={label}>
        <table>
          <thead>
            <tr>{titles.map((title) => <th scope="col">{title}</th>)}</tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr>
                <th scope="row">{name}</th>
                {cells.map((cell) => <td class="n">{cell}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
