import { latencyText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  STEP_PHASES,
  type StepPhase,
  type StepPhases,
} from "../../lib/model/result/latency.ts";
import { coordinate } from "../chart/axis.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import { PHASE_FILLS } from "../chart/phases.tsx";

interface Row {
  readonly step: string;
  readonly phases: StepPhases;
}

/**
 * What the exchanges of each step spent their time on, over all of them; undefined
 * where a run did not measure that.
 */
export function phasesTable({ steps }: RunMeta): Markup | undefined {
  const rows = steps.flatMap(({ id, phases }): Row[] =>
    phases && Object.keys(phases).length > 0 ? [{ step: id, phases }] : []
  );
  if (rows.length === 0) return;
  return (
    <>
      <p class="note">
        Bars are shares of the time of all exchanges, figures p50 and p95 of
        each. A connection that is used again has no connect and no tls.
      </p>
      <DataTable columns={COLUMNS} rows={rows} label="Where the time went" />
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  naming("step", ({ step }) => step),
  {
    title: <span class="hidden">bar</span>,
    narrow: "line",
    cell: ({ phases }) => bar(phases),
  },
  ...STEP_PHASES.map((phase) =>
    figure<Row>(phase, ({ phases }) => cell(phases, phase))
  ),
];

function cell(phases: StepPhases, phase: StepPhase): Markup | string {
  const { [phase]: figures } = phases;
  if (!figures || figures.count === 0) return "–";
  return (
    <>
      <svg class="swatch small" viewBox="0 0 8 8" aria-hidden="true">
        <path class={`p-${phase}`} fill={PHASE_FILLS[phase]!} d="M0 0h8v8H0z" />
      </svg>
      {latencyText(figures.p50)}{" "}
      <span class="more">p95 {latencyText(figures.p95)}</span>
    </>
  );
}

function bar(phases: StepPhases): Markup {
  const times = STEP_PHASES.map((phase) => {
    const { count = 0, avg = 0 } = phases[phase] ?? {};
    return { phase, time: count * avg };
  });
  const total = times.reduce((sum, { time }) => sum + time, 0) || 1;
  let from = 0;
  const parts = times.map(({ phase, time }) => {
    const start = from;
    from += time / total * 200;
    return (
      <path
        class={`p-${phase}`}
        fill={PHASE_FILLS[phase]!}
        d={`M${coordinate(start)} 0H${coordinate(from)}V10H${
          coordinate(start)
        }z`}
      />
    );
  });
  return (
    <svg
      class="phases"
      viewBox="0 0 200 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts}
    </svg>
  );
}
