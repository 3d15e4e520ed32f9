import { latencyText, plural } from "../../lib/results/report/figures.ts";
import type { Distribution } from "../../lib/model/result/totals.ts";
import { DataTable, figure, naming } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import { coordinate } from "./axis.ts";
import { LineKey, Plot } from "./frame.tsx";
import { curve } from "./line_chart.tsx";

/** One distribution with its name. */
interface NamedDistribution {
  readonly label: string;
  readonly colour: number;
  readonly latency: Distribution;
}

const SHOWN = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100];
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
  const columns = SHOWN.map((p) =>
    figure<NamedDistribution>(p === 100 ? "max" : `p${p}`, ({ latency }) => [
      latencyText(latency.percentile(p)),
      few(latency, p) && "*",
    ])
  );
  const some = sets.some(({ latency }) => SHOWN.some((p) => few(latency, p)));
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

/** Fewer than ten samples lie beyond it. */
function few(latency: Distribution, p: number): boolean {
  return p > 50 && p < 100 && latency.count * (1 - p / 100) < 10;
}
