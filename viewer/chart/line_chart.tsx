import type { Markup } from "../markup/markup.ts";
import { Legend } from "./legend.tsx";
import { TickLabels } from "./tick_labels.tsx";
import { countTicks, type Shade, timeText, timeTicks } from "./time_axis.ts";
import { axisTo, coordinate, logAxis, type Steps } from "./scale.ts";

/** One line; null is a gap and stays one. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Index into the palette. */
  readonly colour: number;
}

/** A chart over time. */
export interface LineChart {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** What the chart says, in one sentence, for who cannot see it. */
  readonly summary: string;
  /** Follows the summary. */
  readonly more?: Markup;
  /** Seconds since the run started, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** How a value reads. */
  readonly unit: "ms" | "share" | "count" | "number" | "bytes" | "rate";
  /** Powers of ten up the side, so that the fast show beside the slow. */
  readonly log?: boolean;
  readonly text: (value: number) => string;
  /** Values to draw a dashed line at, such as a threshold. */
  readonly limits?: readonly { readonly label: string; readonly at: number }[];
  /** What `x` is called when it is not a time, such as the number of a run. */
  readonly timeText?: (at: number) => string;
  /** The axis, where it is not that of the points alone. */
  readonly span?: readonly [start: number, end: number];
  readonly shades?: readonly Shade[];
  /** Moments to mark, such as the knee. */
  readonly marks?: readonly { readonly label: string; readonly at: number }[];
}

const WIDTH = 1000;
const HEIGHT = 200;
const ROWS = 60;

/**
 * The chart as SVG that fills its place, with the words around it in HTML, so
 * that they stay readable at any width; below it the figures as a table. With
 * scripts on, `charts.js` puts an interactive chart in the place of the SVG.
 */
export function lineChart(chart: LineChart): Markup {
  const { id, title, summary, times, lines } = chart;
  const { limits = [], marks = [], shades = [] } = chart;
  const all = lines.flatMap((line) => line.values.filter((v) => v !== null));
  const heights = [...all, ...limits.map((each) => each.at)];
  const axis = chart.log
    ? logAxis(heights)
    : axisTo(maxOf(heights), STEPS[chart.unit]);
  const [start, end] = chart.span ??
    [times[0] ?? 0, Math.max(times.at(-1) ?? 1, (times[0] ?? 0) + 1)];
  const ticks = chart.timeText
    ? countTicks(start, end, chart.timeText)
    : timeTicks(start, end);
  const x = (t: number) => coordinate((t - start) / (end - start) * WIDTH);
  const y = (value: number) => coordinate(HEIGHT - axis.share(value) * HEIGHT);
  const grid = axis.ticks.map((tick) => `M0 ${y(tick)}H${WIDTH}`).join("");
  return (
    <figure class="chart" id={id}>
      <figcaption>
        <h3>{title}</h3>
        <p class="sum">{summary} {chart.more}</p>
      </figcaption>
      <Legend chart={chart} />
      <div class="plot">
        <div class="y" aria-hidden="true">
          {[...axis.ticks].reverse().map((tick) => (
            <span>{tick === 0 ? "0" : chart.text(tick)}</span>
          ))}
        </div>
        <svg
          class="area"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${summary}`}
        >
          {shades.map((each) => (
            <path
              class="shade"
              fill="#8882"
              d={`M${x(Math.max(start, each.from))} 0H${
                x(Math.min(end, each.to))
              }V${HEIGHT}H${x(Math.max(start, each.from))}z`}
            />
          ))}
          <path class="grid" fill="none" stroke="#8883" d={grid} />
          {limits.map((each) => (
            <path
              class="limit"
              fill="none"
              stroke="#888"
              d={`M0 ${y(each.at)}H${WIDTH}`}
            />
          ))}
          {marks.map((each) => (
            <path
              class="mark"
              fill="none"
              stroke="#888"
              d={`M${x(each.at)} 0V${HEIGHT}`}
            />
          ))}
          {lines.map((line) => (
            <path
              class={`line c${line.colour}`}
              fill="none"
              stroke={PRINT_COLOURS[line.colour] ?? "#555"}
              d={pathOf(line.values, times, x, y)}
            />
          ))}
        </svg>
        <TickLabels ticks={ticks} start={start} end={end} />
      </div>
      {figures(chart)}
      <template class="chart-data">
        {JSON.stringify({
          times,
          unit: chart.unit,
          lines,
          limits,
          marks,
          shades,
          ...(chart.span && { span: chart.span }),
          ...(chart.log && { log: axis.ticks }),
        })}
      </template>
    </figure>
  );
}

const STEPS: Partial<Record<LineChart["unit"], Steps>> = {
  count: "whole",
  bytes: "binary",
};

/** Presentation attributes: a page whose style sheet is refused still has these. */
export const PRINT_COLOURS = [
  "#0072b2",
  "#c756e0",
  "#0c9a4e",
  "#1c1c8c",
  "#8a0f62",
  "#33401c",
  "#b03f00",
  "#7d5200",
];

/** Colours that outcomes have everywhere, and nothing else. */
export const FAILED = 6;
export const THROTTLED = 7;

function pathOf(
  values: readonly (number | null)[],
  times: readonly number[],
  x: (t: number) => string,
  y: (value: number) => string,
): string {
  let path = "";
  let drawing = false;
  values.forEach((value, i) => {
    if (value === null) {
      drawing = false;
      return;
    }
    // A point between two gaps would have no length: it is drawn as a dot.
    const alone = !drawing && (values[i + 1] ?? null) === null;
    path += `${drawing ? "L" : "M"}${x(times[i]!)} ${y(value)}`;
    if (alone) path += "h1";
    drawing = true;
  });
  return path;
}

/** Every n-th point, so that the table stays readable; the chart has them all. */
function figures(
  { title, times, lines, text, timeText: label = timeText }: LineChart,
): Markup {
  const every = Math.ceil(times.length / ROWS) || 1;
  const shown = times.map((t, i) => ({ t, i })).filter(({ i }) =>
    i % every === 0
  );
  return (
    <details class="figures">
      <summary>
        Figures of {title}
        {every > 1 ? `, one point in ${every}` : ""}
      </summary>
      <div
        class="scroll"
        tabindex="0"
        role="group"
        aria-label={`Figures of ${title}`}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">time</th>
              {lines.map((line) => <th scope="col">{line.label}</th>)}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ t, i }) => (
              <tr>
                <th scope="row">{label(t)}</th>
                {lines.map(({ values }) => {
                  const value = values[i] ?? null;
                  return (
                    <td class="n">{value === null ? "–" : text(value)}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function maxOf(values: readonly number[]): number {
  return values.reduce((max, each) => Math.max(max, each), 0);
}
