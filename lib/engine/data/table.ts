import type { Cell, Row } from "../../language/expressions/names.ts";

/** Rows of one fixture, in file order. Immutable. */
export interface Fixture {
  /** Column names in file order; in JSON in the order they first turn up. */
  readonly columns: readonly string[];
  /** Number of rows, at least 1. */
  readonly size: number;
  /** All cells, row after row: plain data that `tableFixture` reads back. */
  readonly cells: readonly StoredCell[];
  /** @param index 0-based, below `size` */
  row(index: number): Row;
}

/** A plain text cell as it is kept; undefined where a JSON item lacks the key. */
export type StoredCell = string | Cell | undefined;

/**
 * A fixture over one flat list of cells, row after row: a million rows are a
 * million strings a column and nothing else.
 */
export function tableFixture(
  columns: readonly string[],
  cells: readonly StoredCell[],
): Fixture {
  const offsets = new Map(columns.map((name, index) => [name, index]));
  return {
    columns,
    cells,
    size: columns.length === 0 ? 0 : cells.length / columns.length,
    row: (index) => new TableRow(offsets, cells, index * columns.length),
  };
}

class TableRow implements Row {
  constructor(
    private readonly offsets: ReadonlyMap<string, number>,
    private readonly cells: readonly StoredCell[],
    private readonly first: number,
  ) {}

  get(column: string): Cell | undefined {
    const offset = this.offsets.get(column);
    if (offset === undefined) return undefined;
    const cell = this.cells[this.first + offset];
    return typeof cell === "string" ? { text: cell } : cell;
  }
}
