import { latencyText, plural } from "../../lib/results/report/figures.ts";
import type { Distribution } from "../../lib/model/result/totals.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import { coordinate } from "./scale.ts";
import { TickLabels } from "./tick_labels.tsx";
import { PRINT_COLOURS } from "./line_chart.tsx";

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
  const ticks = [1, 0.75, 0.5, 0.25, 0];
  return (
    <figure class="chart">
      <p class="legend">
        {filled.map((set) => (
          <span class="key">
            <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true">
              <path class={`line c${set.colour}`} d="M0 4H26" />
            </svg>
            {set.label} ({plural(set.latency.count, "sample")})
          </span>
        ))}
      </p>
      <div class="plot">
        <div class="y" aria-hidden="true">
          {ticks.map((part) => (
            <span>{latencyText(low * (high / low) ** part)}</span>
          ))}
        </div>
        <svg
          class="area"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Latency by percentile"
        >
          {filled.map((set) => (
            <path
              class={`line c${set.colour}`}
              fill="none"
              stroke={PRINT_COLOURS[set.colour] ?? "#555"}
              d={curve(set.latency, y)}
            />
          ))}
        </svg>
        <TickLabels ticks={NINES} start={0} end={4} />
      </div>
      {table(filled)}
    </figure>
  );
}

function curve(latency: Distribution, y: (ms: number) => string): string {
  let path = "";
  for (let x = 0; x <= WIDTH; x += 5) {
    // 0 to 4 nines over the width.
    const p = Math.min(100, Math.max(0.01, 100 - 100 / 10 ** (4 * x / WIDTH)));
    path += `${path === "" ? "M" : "L"}${x} ${y(latency.percentile(p))}`;
  }
  return path;
}

function table(sets: readonly NamedDistribution[]): Markup {
  const columns = SHOWN.map((p): Column<NamedDistribution> => ({
    title: p === 100 ? "max" : `p${p}`,
    kind: "number",
    cell: ({ latency }) => (
      <>{latencyText(latency.percentile(p))}{few(latency, p) && "*"}</>
    ),
  }));
  const some = sets.some(({ latency }) => SHOWN.some((p) => few(latency, p)));
  return (
    <>
      <DataTable
        columns={[
          {
            title: <span class="hidden">latency of</span>,
            kind: "head",
            narrow: "lead",
            cell: ({ label }) => label,
          },
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
