import type { Fixture } from "./table.ts";

/** Cells of a name, and letters of each. */
const CELLS = 2;
const LETTERS = 32;

/**
 * What the rows of a fixture are called: their first cells that are short and
 * no credential by their column's name. Undefined for a row without one.
 *
 * @param isCredential whether people keep credentials under such a name
 */
export function rowNames(
  fixture: Fixture,
  isCredential: (column: string) => boolean,
): (row: number) => string | undefined {
  const columns = fixture.columns.filter((name) => !isCredential(name));
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
