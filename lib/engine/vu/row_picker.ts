import type { RowSource } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import type { Row } from "../../language/expressions/names.ts";
import type { IterationInput } from "./iteration.ts";

/** One pool of the run, by slot: its rows and how they are handed out. */
export interface OpenPool {
  readonly fixture: Fixture;
  readonly source: RowSource;
}

/**
 * What iteration `iteration` runs with; undefined when a dry pool ends the run.
 *
 * @param firstRow the row that iteration 0 has
 */
export function pickRows(
  pools: readonly OpenPool[],
  iteration: number,
  firstRow: number,
): IterationInput | undefined {
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
}

const NO_ROWS: readonly (Row | undefined)[] = [];
