import type { BadOutcome } from "../../lib/model/outcome.ts";
import {
  byteRateText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  averageText,
  bytesText,
  exactBytesText,
  rateText,
} from "../model/words.ts";
import {
  type Axis,
  axisTo,
  boundsOf,
  ChartFigures,
  coordinate,
  countTicks,
  LineKey,
  logAxis,
  Plot,
  type Shade,
  type Steps,
  Swatch,
  timeText,
  timeTicks,
} from "./frame.tsx";

/** One line: its name, an index into the palette, what it takes of a point; null is a gap. */
export type Line<Point> = readonly [
  label: string,
  colour: number,
  of: (point: Point) => number | null,
];

/** A value or a moment with a line of its own, such as a threshold or the knee. */
interface Mark {
  readonly label: string;
  readonly at: number;
  /** Whether something held or broke there. */
  readonly kind?: "held" | "broke";
}

/** A chart over time. */
export interface LineChart<Point> {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The chart in one sentence, for those who cannot see it. */
  readonly summary: string;
  /** Wider than the others of its grid. */
  readonly leads?: true;
  /** Follows the summary. */
  readonly more?: Markup;
  /** `t`, ascending, is in seconds since the run started. */
  readonly points: readonly Point[];
  readonly lines: readonly Line<Point>[];
  readonly unit: keyof typeof UNITS;
  /** How a value reads, where it is not as its unit says. */
  readonly text?: (value: number) => string;
  /** Powers of ten up the side, so that the fast show beside the slow. */
  readonly log?: boolean;
  /** The axis is around the values, not from 0: how they change is what counts. */
  readonly around?: true;
  /** Dashed, across; one far above the values is only named. */
  readonly limits?: readonly Mark[];
  /** The text of `t` where it is not a time, such as the number of a run. */
  readonly timeText?: (at: number) => string;
  /** A line goes on across points that it has no value at. */
  readonly joined?: true;
  /** The axis, where it is not that of the points alone. */
  readonly span?: readonly [start: number, end: number];
  readonly shades?: readonly Shade[];
  /** Down, at moments. */
  readonly marks?: readonly Mark[];
}

/** How values read, and what the steps of their axis are. */
const UNITS = {
  ms: { text: latencyText, steps: "any" },
  share: { text: shareText, steps: "any" },
  rate: { text: rateText, steps: "any" },
  number: { text: averageText, steps: "any" },
  count: { text: averageText, steps: "whole" },
  bytes: { text: bytesText, steps: "binary" },
  traffic: { text: byteRateText, steps: "any" },
} as const satisfies Record<
  string,
  { readonly text: (value: number) => string; readonly steps: Steps }
>;

const WIDTH = 1000;
const HEIGHT = 200;

/** A line's values. */
interface DrawnLine {
  readonly label: string;
  readonly colour: number;
  readonly values: readonly (number | null)[];
}

/**
 * The chart as SVG that fills its place, with the words around it in HTML, so
 * that they stay readable at any width; below it the figures as a table. With
 * scripts on, `charts.js` draws a cursor into the SVG.
 */
export function lineChart<Point extends { readonly t: number }>(
  chart: LineChart<Point>,
): Markup {
  const { id, title, summary, unit, points, text = UNITS[unit].text } = chart;
  const { marks = [], shades = [] } = chart;
  const times = points.map(({ t }) => t);
  const lines = chart.lines.map(([label, colour, of]): DrawnLine => ({
    label,
    colour,
    values: points.map(of),
  }));
  const known = lines.flatMap(({ values }) => values.filter((v) => v !== null));
  if (!known.some((value) => value !== 0)) return flat(chart, known.length);
  const { axis, limits } = frameOf(chart, known);
  const [start, end] = chart.span ??
    [times[0] ?? 0, Math.max(times.at(-1) ?? 1, (times[0] ?? 0) + 1)];
  const x = (t: number) => coordinate((t - start) / (end - start) * WIDTH);
  const y = (value: number) => coordinate(HEIGHT - axis.share(value) * HEIGHT);
  return (
    <figure class={chart.leads ? "chart leads" : "chart"} id={id}>
      <figcaption>
        <h3>{title}</h3>
        <p class="sum">{summary}</p>
        {chart.more}
      </figcaption>
      <p class="legend">
        {lines.map(({ colour, label }) => (
          <LineKey colour={colour}>{label}</LineKey>
        ))}
        {limits.map(({ label, drawn }) =>
          key("limit", "M0 4H26", drawn ? label : `${label}, above the chart`)
        )}
        {marks.map(({ label, kind = "" }) =>
          key(`mark ${kind}`, "M13 0V8", label)
        )}
        {shades.map(({ label }) => key("shade", "M0 0H26V8H0z", label))}
      </p>
      <Plot
        width={WIDTH}
        height={HEIGHT}
        label={`${title}: ${summary}`}
        side={sideTexts(axis, unit === "bytes" ? exactBytesText : text)}
        ticks={chart.timeText
          ? countTicks(start, end, chart.timeText, ticksBeside(chart))
          : timeTicks(start, end)}
        start={start}
        end={end}
      >
        {shades.map(({ from, to }) => {
          const left = x(Math.max(start, from));
          const d = `M${left} 0H${x(Math.min(end, to))}V${HEIGHT}H${left}z`;
          return <path class="shade" fill="#8882" d={d} />;
        })}
        {rule(
          "grid",
          "#8883",
          axis.ticks.map((tick) => `M0 ${y(tick)}H${WIDTH}`).join(""),
        )}
        {limits.map(({ at, drawn }) =>
          drawn && rule("limit", "#888", `M0 ${y(at)}H${WIDTH}`)
        )}
        {marks.map(({ at, kind }) =>
          rule(
            kind ? `mark ${kind}` : "mark",
            "#888",
            `M${x(at)} 0V${HEIGHT}`,
          )
        )}
        {lines.map(({ colour, values }) =>
          curve(colour, pathOf(values, times, { x, y, joined: chart.joined }))
        )}
      </Plot>
      {figures(chart, lines, text)}
      <template class="chart-data">
        {JSON.stringify({
          span: [start, end],
          times,
          labels: times.map(chart.timeText ?? timeText),
          values: lines.map(({ values }) =>
            values.map((value) => value === null ? null : text(value))
          ),
        })}
      </template>
    </figure>
  );
}

/** The text of each tick up the side, from the top. */
function sideTexts(
  { ticks, power }: Axis,
  text: (value: number, power: number) => string,
): string[] {
  return ticks.toReversed().map((tick) => tick ? text(tick, power) : "0");
}

/** How many of its labels fit beside each other below a chart a third of a page wide. */
function ticksBeside<Point extends { readonly t: number }>(
  { points, timeText }: LineChart<Point>,
): number {
  const widest = boundsOf(points.map(({ t }) => timeText!(t).length))[1];
  return Math.min(6, Math.max(2, Math.floor(40 / widest)));
}

/** The axis up the side, and which limits are within it. */
function frameOf<Point extends { readonly t: number }>(
  chart: LineChart<Point>,
  known: readonly number[],
) {
  const highest = boundsOf(known)[1];
  // A limit far above everything measured would press the lines flat.
  const limits = (chart.limits ?? []).map((limit) => ({
    ...limit,
    drawn: chart.log || limit.at <= highest * 3,
  }));
  const heights = [
    ...known,
    ...limits.filter(({ drawn }) => drawn).map(({ at }) => at),
  ];
  const [least, most] = boundsOf(heights);
  const axis = chart.log
    ? logAxis(heights)
    : axisTo(most, UNITS[chart.unit].steps, chart.around ? least : 0);
  return { axis, limits };
}

/** A chart that shows nothing but that nothing happened is a line of text. */
function flat<Point extends { readonly t: number }>(
  { id, title, lines, limits = [], more }: LineChart<Point>,
  known: number,
): Markup {
  const what = lines.map(([label]) => label).join(", ");
  const of = limits.map(({ label }) => ` Limit: ${label}.`).join("");
  return (
    <p class="flat" id={id}>
      <strong>{title}</strong>{" "}
      {known === 0 ? `No samples (${what}).` : `0 throughout (${what}).`}
      {of} {more}
    </p>
  );
}

/** A line across or down the chart, or an area of it, in the legend. */
function key(
  kind: string,
  path: string,
  label: string,
): Markup {
  return (
    <span class={`key of-${kind.split(" ")[0]}`}>
      <Swatch kind={kind} d={path} />
      {label}
    </span>
  );
}

function rule(kind: string, stroke: string, path: string): Markup {
  return <path class={kind} fill="none" stroke={stroke} d={path} />;
}

/** A line of a palette's colour. */
export function curve(colour: number, path: string): Markup {
  return rule(`line c${colour}`, PRINT_COLOURS[colour] ?? "#555", path);
}

/** Presentation attributes: a page whose style sheet is refused still has these. */
const PRINT_COLOURS = [
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
export const OUTCOME_COLOURS: Readonly<Record<BadOutcome, number>> = {
  failed: 6,
  throttled: 7,
};

function pathOf(
  values: readonly (number | null)[],
  times: readonly number[],
  { x, y, joined = false }: {
    readonly x: (t: number) => string;
    readonly y: (value: number) => string;
    readonly joined: boolean | undefined;
  },
): string {
  let path = "";
  let drawing = false;
  values.forEach((value, i) => {
    if (value === null) {
      drawing &&= joined;
      return;
    }
    // A point between two gaps would have no length: it is drawn as a dot.
    const alone = !drawing && (values[i + 1] ?? null) === null;
    path += `${drawing ? "L" : "M"}${x(times[i]!)} ${y(value)}`;
    if (alone) path += "h8";
    drawing = true;
  });
  return path;
}

/** Rows of the table below a chart, so that it stays readable; the chart has every point. */
const ROWS = 60;

function figures<Point extends { readonly t: number }>(
  { title, points, timeText: label = timeText }: LineChart<Point>,
  lines: readonly DrawnLine[],
  text: (value: number) => string,
): Markup {
  const every = Math.ceil(points.length / ROWS) || 1;
  return (
    <ChartFigures
      label={`Figures of ${title}`}
      more={every > 1 ? `, one point in ${every}` : ""}
      titles={["time", ...lines.map((line) => line.label)]}
      rows={points.flatMap(({ t }, i) =>
        i % every > 0 ? [] : [[
          label(t),
          ...lines.map(({ values: { [i]: value = null } }) =>
            value === null ? "–" : text(value)
          ),
        ]]
      )}
    />
  );
}
