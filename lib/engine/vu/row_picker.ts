import { openPool } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import type { Row } from "../../language/expressions/names.ts";
import type { IterationInput } from "./iteration.ts";
import type { RunTask } from "./job.ts";

/** What an iteration runs with; undefined when a dry pool ends the run. */
export type RowPicker = (iteration: number) => IterationInput | undefined;

/** Opens the pools of a run, which iterations have their rows from. */
export function rowPicker(
  { flow, plan }: Pick<RunTask, "flow" | "plan">,
  fixtures: ReadonlyMap<string, Fixture>,
): RowPicker {
  const { seed, executor, firstRow = 0 } = plan;
  const everyRow = executor === "rows";
  const pools = (flow.pools ?? []).map((pool) => {
    const fixture = fixtures.get(pool.name)!;
    return { fixture, source: openPool(pool, fixture.size, seed, everyRow) };
  });
  return (iteration) => {
    if (pools.length === 0) return { iteration, rows: NO_ROWS };
    const rows: (Row | undefined)[] = [];
    let row: number | undefined;
    for (const [slot, { fixture, source }] of pools.entries()) {
      const index = source.row(iteration + firstRow);
      if (index === undefined && source.exhausted === "stop") return undefined;
      if (slot === 0) row = index;
      rows.push(index === undefined ? undefined : fixture.row(index));
    }
    return row === undefined ? { iteration, rows } : { iteration, rows, row };
  };
}

const NO_ROWS: readonly (Row | undefined)[] = [];
