import { toThousandths } from "../../lib/base/values/numbers.ts";
import {
  countText,
  latencyText,
  plural,
} from "../../lib/results/report/figures.ts";
import { leastSamples } from "../../lib/results/statistics/sample_floor.ts";
import type { Distribution } from "../../lib/model/metrics.ts";
import { DataTable, figure, naming } from "../markup/data_table.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import {
  boundsOf,
  ChartFigures,
  coordinate,
  LineKey,
  Plot,
  Swatch,
  timeText,
  timeTicks,
} from "./frame.tsx";
import { curve } from "./line_chart.tsx";
import { sum } from "../../lib/base/values/sum.ts";
import {
  columnWidth,
  type SecondPoint,
} from "../../lib/model/result/series.ts";
import type { Cell } from "../../lib/model/result/trace.ts";
import { bucketMs } from "../model/timeline.ts";

/** One distribution with its name. */
interface NamedDistribution {
  readonly label: string;
  readonly colour: number;
  readonly latency: Distribution;
}

/** A stored histogram is exact to 0.1 %, the maximum of its run to the microsecond. */
export function upTo(latency: Distribution, max: number | null): Distribution {
  if (max === null) return latency;
  const { count, min, avg } = latency;
  const percentile = (p: number) =>
    p >= 100 ? max : Math.min(max, latency.percentile(p));
  return { count, min, avg, max, percentile };
}

const SHOWN = [10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100];
/** Fewer samples than this are no curve. */
const CURVE = 20;
const NINES = ["p0", "p90", "p99", "p99.9", "p99.99"]
  .map((label, at) => ({ at, label }));
const WIDTH = 1000;
const HEIGHT = 200;

/**
 * Latency by percentile, spread so that the last percents have room: a nine more
 * is a step further right.
 */
export function distribution(sets: readonly NamedDistribution[]): Markup {
  const filled = sets.filter((set) => set.latency.count > 0);
  if (filled.length === 0) {
    return <p class="empty">No latency samples.</p>;
  }
  if (filled.every((set) => set.latency.count < CURVE)) {
    return <figure class="chart">{table(filled)}</figure>;
  }
  const low = Math.max(
    0.001,
    Math.min(...filled.map((set) => set.latency.min)),
  );
  const high = Math.max(low * 2, ...filled.map((set) => set.latency.max));
  const y = (ms: number) =>
    coordinate(
      HEIGHT -
        Math.max(0, Math.log(ms / low) / Math.log(high / low)) * HEIGHT,
    );
  return (
    <figure class="chart">
      <p class="legend">
        {filled.map((set) => (
          <LineKey colour={set.colour}>
            {set.label} ({plural(set.latency.count, "sample")})
          </LineKey>
        ))}
      </p>
      <Plot
        width={WIDTH}
        height={HEIGHT}
        label="Latency by percentile"
        side={[1, 0.75, 0.5, 0.25, 0].map((part) =>
          latencyText(low * (high / low) ** part)
        )}
        ticks={NINES}
        start={0}
        end={4}
      >
        {filled.map((set) => curve(set.colour, pathOf(set.latency, y)))}
      </Plot>
      {table(filled)}
    </figure>
  );
}

function pathOf(latency: Distribution, y: (ms: number) => string): string {
  let path = "";
  for (let x = 0; x <= WIDTH; x += 5) {
    // 0 to 4 nines over the width.
    const p = Math.min(100, Math.max(0.01, 100 - 100 / 10 ** (4 * x / WIDTH)));
    path += `${path === "" ? "M" : "L"}${x} ${y(latency.percentile(p))}`;
  }
  return path;
}

function table(sets: readonly NamedDistribution[]): Markup {
  const shown = SHOWN.filter((p) =>
    !sets.every(({ latency }) => few(latency, p))
  );
  const columns = shown.map((p) =>
    figure<NamedDistribution>(p === 100 ? "max" : `p${p}`, ({ latency }) => [
      latencyText(latency.percentile(p)),
      few(latency, p) && "*",
    ])
  );
  const some = sets.some(({ latency }) => shown.some((p) => few(latency, p)));
  return (
    <>
      <DataTable
        columns={[
          naming<NamedDistribution>(
            <span class="hidden">latency of</span>,
            ({ label }) => label,
          ),
          ...columns,
        ]}
        rows={sets}
        label="Percentiles"
      />
      {some &&
        (
          <p class="note">
            * Fewer than ten samples lie beyond it: another run may say
            something else.
          </p>
        )}
    </>
  );
}

/** Fewer than ten samples lie beyond it; up to the median, too few to say anything of it. */
function few({ count }: Distribution, p: number): boolean {
  if (p <= 50) return count < leastSamples(p);
  return p < 100 && count * (1 - p / 100) < 10;
}

/** Counts of samples by time and latency. */
interface HeatMap {
  /** Seconds to a column. */
  readonly width: number;
  readonly from: number;
  /** As far as the run lasts: the last one is rarely whole. */
  readonly columns: number;
  /** The lowest latency bucket of the series that is shown, and how many. */
  readonly lowest: number;
  readonly rows: number;
  /** By column, then by row from the fastest. */
  readonly counts: readonly (readonly number[])[];
  readonly most: number;
}

const LEVELS = [
  "#d5dfe9",
  "#a9bfd6",
  "#7b9cc2",
  "#4f78ab",
  "#2c548c",
  "#122d5c",
];

/**
 * Adds up the seconds' histograms of a run that lasts so long. A column begins at a
 * multiple of its width.
 */
export function heatMapOf(
  seconds: readonly SecondPoint[],
  durationMs = Infinity,
): HeatMap {
  const first = seconds[0]?.t ?? 0;
  const end = (seconds.at(-1)?.t ?? first - 1) + 1;
  const width = columnWidth(end - first);
  const from = first - first % width;
  const used = seconds.flatMap((each) => each.buckets.map(([b]) => b));
  const [lowest, highest] = boundsOf(used);
  const rows = used.length === 0 ? 0 : Math.min(400, highest - lowest + 1);
  const columns = Math.ceil((end - from) / width);
  const counts = Array.from(
    { length: columns },
    () => new Array<number>(rows).fill(0),
  );
  seconds.forEach((second) => {
    const column = counts[Math.floor((second.t - from) / width)]!;
    for (const [bucket, count] of second.buckets) {
      const row = bucket - lowest;
      if (row in column) column[row]! += count;
    }
  });
  const most = counts.flat().reduce((max, each) => Math.max(max, each), 0);
  return {
    width,
    from,
    columns: Math.min(
      columns,
      Math.max(columns - 0.95, (durationMs / 1_000 - from) / width),
    ),
    lowest: rows === 0 ? 0 : lowest,
    rows,
    counts,
    most,
  };
}

/** A kept trace, and where its latencies count. */
export interface Exemplar {
  readonly href: string;
  readonly iteration: number;
  readonly cells: readonly Cell[];
}

/**
 * The map as SVG. A cell is a link to a trace that has a latency in it, where one
 * was kept; all others are one path a shade. The table below says the same by
 * latency.
 *
 * @param exemplars none in a report file
 */
export function heatMap(
  map: HeatMap,
  exemplars: readonly Exemplar[] = [],
): Markup {
  if (map.rows === 0) return <p class="empty">No latency samples.</p>;
  const edge = (row: number) => latencyText(bucketMs(map.lowest + row));
  const end = map.from + map.columns * map.width;
  const found = exemplarsIn(map, exemplars);
  const linked = found.some((column) => column.some((each) => each));
  const shades = LEVELS.map((fill, level) => {
    let plain = "";
    const links: Markup[] = [];
    map.counts.forEach((column, x) => {
      const wide = toThousandths(Math.min(1, map.columns - x));
      column.forEach((count, row) => {
        if (count === 0 || levelOf(count, map.most) !== level) return;
        const d = `M${x} ${map.rows - row - 1}h${wide}v1h-${wide}z`;
        const href = found[x]![row]?.href;
        if (href === undefined) return void (plain += d);
        const at = map.from + x * map.width;
        const name = `${timeText(at)} to ${timeText(at + map.width)}, ${
          edge(row)
        } to ${edge(row + 1)}: ${plural(count, "sample")}`;
        links.push(
          // Hundreds of stops for the keyboard; a script makes them one, and the table has links too.
          <a href={href} tabindex="-1">
            <title>{name}</title>
            <path d={d} />
          </a>,
        );
      });
    });
    if (plain === "" && links.length === 0) return;
    return (
      <g class={`h${level}`} fill={fill}>
        {plain !== "" && <path d={plain} />}
        {links}
      </g>
    );
  });
  return (
    <figure class="chart heat">
      <p class="legend">
        <span>samples a cell: 1</span>
        {LEVELS.map((fill, level) => <Swatch kind={`h${level}`} fill={fill} />)}
        <span>{plural(map.most, "sample")}</span>
      </p>
      <Plot
        width={map.columns}
        height={map.rows}
        label={`Latency over time: from ${edge(0)} to ${edge(map.rows)}`}
        side={[1, 0.75, 0.5, 0.25, 0].map((part) => edge(part * map.rows))}
        ticks={timeTicks(map.from, end)}
        start={map.from}
        end={end}
        linked={linked}
      >
        {shades}
      </Plot>
      {bands(map, edge, linked ? found : undefined)}
    </figure>
  );
}

/** By column, then by row: the first trace that has a latency there. */
function exemplarsIn(
  { from, width, lowest, counts }: HeatMap,
  exemplars: readonly Exemplar[],
): readonly (readonly (Exemplar | undefined)[])[] {
  const found = counts.map((column) =>
    column.map((): Exemplar | undefined => undefined)
  );
  for (const each of exemplars) {
    for (const [second, bucket] of each.cells) {
      const column = found[Math.floor((second - from) / width)];
      const row = bucket - lowest;
      if (column && row in column) column[row] ??= each;
    }
  }
  return found;
}

/** Logarithmic: a single slow response must show beside a thousand fast ones. */
function levelOf(count: number, most: number): number {
  if (most <= 1) return LEVELS.length - 1;
  const share = Math.log(count) / Math.log(most);
  return Math.min(LEVELS.length - 1, Math.floor(share * LEVELS.length));
}

function bands(
  { rows, counts }: HeatMap,
  edge: (row: number) => string,
  found: ReturnType<typeof exemplarsIn> | undefined,
): Markup {
  const totals = Array.from(
    { length: rows },
    (_, row) => sum(counts, (column) => column[row]!),
  );
  const all = sum(totals, (each) => each);
  return (
    <ChartFigures
      label="Samples by latency"
      titles={[
        ...["from", "to", "samples", "share"],
        ...(found ? ["trace"] : []),
      ]}
      rows={totals.flatMap((count, row) => {
        const trace = found?.find((column) => column[row])?.[row];
        return count === 0 ? [] : [[
          edge(row),
          edge(row + 1),
          count,
          `${coordinate(count / all * 100)}%`,
          ...(found ? [trace ? traceLink(trace) : "none kept"] : []),
        ]];
      })}
    />
  );
}

function traceLink({ href, iteration }: Exemplar): Markup {
  return <a href={href}>iteration {countText(iteration + 1)}</a>;
}
