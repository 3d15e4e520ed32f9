import { latencyText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  STEP_PHASES,
  type StepPhase,
  type StepPhases,
} from "../../lib/model/result/step_phases.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";

interface Row {
  readonly step: string;
  readonly phases: StepPhases;
}

/**
 * What the exchanges of each step spent their time on, over all of them; undefined
 * where a run did not measure that.
 */
export function stepPhasesTable({ steps }: RunMeta): Markup | undefined {
  const rows = steps.flatMap(({ id, phases }): Row[] =>
    phases && Object.keys(phases).length > 0 ? [{ step: id, phases }] : []
  );
  if (rows.length === 0) return;
  return (
    <>
      <h3>Phases of each step</h3>
      <p class="note">
        p50 and p95 of every exchange. A connection that is used again has no
        connect and no tls.
      </p>
      <DataTable columns={COLUMNS} rows={rows} label="Phases of each step" />
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "step", kind: "head", narrow: "lead", cell: ({ step }) => step },
  ...STEP_PHASES.map((phase): Column<Row> => ({
    title: phase,
    kind: "number",
    cell: ({ phases }) => cell(phases, phase),
  })),
];

function cell(phases: StepPhases, phase: StepPhase): Markup | string {
  const { [phase]: figures } = phases;
  if (!figures || figures.count === 0) return "–";
  return (
    <>
      {latencyText(figures.p50)}{" "}
      <span class="more">p95 {latencyText(figures.p95)}</span>
    </>
  );
}
