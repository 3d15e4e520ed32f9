import { namesCredential } from "../../language/source/credentials.ts";
import type { Cell, Row } from "../../language/expressions/template.ts";

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

/** Cells of a name, and letters of each. */
const CELLS = 2;
const LETTERS = 32;

/**
 * The names of the rows of a fixture: their first cells that are short and
 * no credential by their column's name. Undefined for a row without one.
 */
export function rowNames(
  fixture: Fixture,
): (row: number) => string | undefined {
  const columns = fixture.columns.filter((name) => !namesCredential(name));
  return (index) => {
    if (index >= fixture.size) return;
    const row = fixture.row(index);
    const cells = columns.map((column) => row.get(column))
      .filter((cell) => cell && !cell.nested && fits(cell.text))
      .map((cell) => cell!.text);
    return cells.length === 0 ? undefined : cells.slice(0, CELLS).join(" ");
  };
}

function fits(text: string): boolean {
  return text !== "" && text.length <= LETTERS;
}
