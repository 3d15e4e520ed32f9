import { Scroll } from "../markup/data_table.tsx";
import type { Markup, Piece } from "../markup/jsx_runtime.ts";
import { bytePower } from "../model/words.ts";

/** Round numbers to write along an axis. */
export interface Axis {
  /** From the bottom to the top, evenly apart. */
  readonly ticks: readonly number[];
  /** How far up a value is, from 0 to 1. */
  readonly share: (value: number) => number;
  /** Of 1024, that the ticks are round in. */
  readonly power: number;
}

/** The steps of an axis: whole numbers, powers of 1024, or any. */
export type Steps = "any" | "whole" | "binary";

/**
 * An axis from 0, or from below `min`, that reaches at least `max`, in four
 * steps at most.
 */
export function axisTo(max: number, steps: Steps = "any", min = 0): Axis {
  const power = steps === "binary" ? bytePower(max) : 0;
  const unit = 1024 ** power;
  // No one counts half a byte.
  const whole = steps === "whole" || steps === "binary" && power === 0;
  const ticks = ticksAround(min / unit, max / unit, whole)
    .map((tick) => tick * unit);
  const [foot, top] = [ticks[0]!, ticks.at(-1)!];
  return {
    ticks,
    share: (value) => Math.min(1, Math.max(0, (value - foot) / (top - foot))),
    power,
  };
}

/** Ticks around the values; from 0 where the values leave no room above it. */
function ticksAround(min: number, max: number, whole: boolean): number[] {
  const even = ticksTo(max - min, whole);
  const step = even[1]! - even[0]!;
  const foot = Math.floor(min / step) * step;
  if (!(foot > 0) || max - min < max * 1e-6) return ticksTo(max, whole);
  const count = Math.ceil((max - foot) / step - 1e-9);
  return Array.from(
    { length: count + 1 },
    (_, i) => Number((foot + i * step).toPrecision(12)),
  );
}

function ticksTo(max: number, whole: boolean): number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(max));
  for (const unit of [0.25, 0.5, 1, 2, 2.5, 5]) {
    const step = unit * size;
    const steps = Math.ceil(max / step - 1e-9);
    if (steps > 4 || whole && !Number.isInteger(step)) continue;
    return Array.from(
      { length: steps + 1 },
      (_, i) => Number((i * step).toPrecision(12)),
    );
  }
  return [0, whole ? Math.ceil(max) : max];
}

/** An axis of powers of ten around all values; 0 is at its foot. */
export function logAxis(values: readonly number[]): Axis {
  const known = values.filter((value) => value > 0);
  const [lowest, highest] = boundsOf(known.length === 0 ? [1] : known);
  const low = Math.floor(Math.log10(lowest));
  const high = Math.max(low + 1, Math.ceil(Math.log10(highest) - 1e-9));
  const ticks = Array.from(
    { length: high - low + 1 },
    (_, i) => Number((10 ** (low + i)).toPrecision(12)),
  );
  return {
    ticks,
    share: (value) =>
      value <= 0
        ? 0
        : Math.min(1, Math.max(0, (Math.log10(value) - low) / (high - low))),
    power: 0,
  };
}

/** The lowest and the highest of values that may be too many for arguments. */
export function boundsOf(values: readonly number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
}

/** A coordinate, short: charts have thousands of them. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A part of the time that was unlike the rest. */
export interface Shade {
  readonly label: string;
  /** Seconds, as the chart's. */
  readonly from: number;
  readonly to: number;
}

/** A position on the axis with what is written there. */
interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Steps that people read times by, in seconds. */
const TIME_STEPS = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1_800],
  ...[3_600, 7_200, 14_400, 21_600, 43_200, 86_400],
];

/** Times to write along an axis, `most` at the most; no two read the same. */
export function timeTicks(start: number, end: number, most = 6): Tick[] {
  return ticksBy(stepFor(TIME_STEPS, end - start, most), start, end, timeText);
}

/** Whole numbers to write along an axis, `most` at the most; no two read the same. */
export function countTicks(
  start: number,
  end: number,
  text: (count: number) => string,
  most = 6,
): Tick[] {
  const powers = Array.from({ length: 10 }, (_, i) => 10 ** i);
  const steps = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return ticksBy(stepFor(steps, end - start, most), start, end, text);
}

function stepFor(steps: readonly number[], span: number, most: number): number {
  return steps.find((step) => span / step < most) ??
    Math.ceil(span / most / steps.at(-1)!) * steps.at(-1)!;
}

function ticksBy(
  step: number,
  start: number,
  end: number,
  text: (at: number) => string,
): Tick[] {
  const ticks: Tick[] = [];
  for (let i = Math.ceil(start / step - 1e-9); i * step <= end + 1e-9; i++) {
    const at = Number((i * step).toPrecision(12));
    ticks.push({ at, label: text(at) });
  }
  return ticks;
}

/** `0s`, `12.5s`, `1m30s`, `1m0.5s`: as exact as the number is. */
export function timeText(seconds: number): string {
  const exact = Number(seconds.toFixed(2));
  if (exact < 60) return `${exact}s`;
  const minutes = Math.floor(exact / 60);
  const rest = Number((exact - minutes * 60).toFixed(2));
  const parts = [
    [Math.floor(minutes / 60), "h"],
    [minutes % 60, "m"],
    [rest, "s"],
  ] as const;
  return parts.filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`).join("");
}

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

/** A line of a chart in its legend. */
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
  /** The picture in words, for those who cannot see it. */
  readonly label: string;
  /** Words up the side, from the top. */
  readonly side: readonly string[];
  readonly ticks: readonly Tick[];
  readonly start: number;
  readonly end: number;
  /** Parts of the picture are links. */
  readonly linked?: boolean;
  readonly children?: Piece;
}

/** The picture of a chart between its axes. */
export function Plot(
  { width, height, label, side, ticks, start, end, linked, children }:
    PlotProps,
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
        role={linked ? "group" : "img"}
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

/** The figures of a chart as a table, folded away; the first cell names its row. */
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

/** A few values as a line without axes; the last one is marked. */
export function sparkline(
  values: readonly number[],
  tone = "",
): Markup | undefined {
  if (values.length < 2) return;
  const top = Math.max(...values) || 1;
  const x = (i: number) => coordinate(2 + i / (values.length - 1) * 56);
  const y = (value: number) => coordinate(14 - value / top * 12);
  const path = values.map((value, i) =>
    `${i === 0 ? "M" : "L"}${x(i)} ${y(value)}`
  )
    .join("");
  return (
    <svg class={`spark ${tone}`} viewBox="0 0 60 16" aria-hidden="true">
      <path class="line c0" fill="none" stroke="#0072B2" d={path} />
      <circle
        class="fill0"
        fill="#0072B2"
        cx={x(values.length - 1)}
        cy={y(values.at(-1)!)}
        r="2"
      />
    </svg>
  );
}

/** Counts one after the other as bars without axes. */
export function strip(
  counts: readonly number[],
  kind: string,
  label: string,
): Markup {
  const most = Math.max(1, ...counts);
  const d = counts.map((count, i) => {
    const top = coordinate(10 - Math.max(1, count / most * 10));
    return count === 0 ? "" : `M${i} 10V${top}h1V10z`;
  }).join("");
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${counts.length} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="track" fill="#8883" d={`M0 0H${counts.length}V10H0z`} />
      <path class={kind} fill="#555" d={d} />
    </svg>
  );
}
