import { shareText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { coordinate } from "../chart/scale.ts";
import { type Column, DataTable } from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import {
  type Phase,
  PHASES,
  type PhaseShares,
  phaseShares,
} from "../model/phase_shares.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { sampleText } from "./flame_page.tsx";
import { PHASE_FILLS } from "./phase_legend.tsx";

/** Where the time of each step went; nothing without kept traces. */
export async function phasesTable(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const { value } = await run.digest();
  if (!value) return;
  const rows = phaseShares(value.flame.root, meta.steps.map(({ id }) => id));
  if (rows.length === 0) return;
  return (
    <>
      <p class="note">
        {sampleText(meta, value.flame.traces)}{" "}
        The rest is checks, waits, and what lies between.
      </p>
      <DataTable columns={COLUMNS} rows={rows} label="Where the time went" />
    </>
  );
}

const ALL: readonly Phase[] = [...PHASES, "rest"];

const COLUMNS: readonly Column<PhaseShares>[] = [
  { title: "step", kind: "head", narrow: "lead", cell: ({ step }) => step },
  {
    title: <span class="hidden">bar</span>,
    narrow: "line",
    cell: bar,
  },
  ...ALL.map((phase): Column<PhaseShares> => ({
    title: phase,
    kind: "number",
    cell: ({ shares }) =>
      shares[phase] < 0.0005 ? "–" : (
        <>
          <svg class="swatch small" viewBox="0 0 8 8" aria-hidden="true">
            <path
              class={`p-${phase}`}
              fill={PHASE_FILLS[phase]!}
              d="M0 0h8v8H0z"
            />
          </svg>
          {shareText(shares[phase])}
        </>
      ),
  })),
];

function bar({ shares }: PhaseShares): Markup {
  let from = 0;
  const parts = ALL.map((phase) => {
    const start = from;
    from += shares[phase] * 200;
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
