import { namesCredential } from "../../language/source/credentials.ts";
import type { Cell, Row } from "../../language/expressions/template.ts";

/** Rows of one fixture, in file order. Immutable. */
export interface Fixture {
  /** Column names in file order; in JSON in the order they first turn up. */
  readonly columns: readonly string[];
  /** Number of rows, at least 1. */
  readonly size: number;
  /** All cells, row after row. */
  readonly cells: CellList;
  /** @param index 0-based, below `size` */
  row(index: number): Row;
}

/** A plain text cell as it is kept; undefined where a JSON item lacks the key. */
export type StoredCell = string | Cell | undefined;

/** A flat list of cells. */
type CellList = Pick<readonly StoredCell[], "length" | "at">;

/**
 * A fixture over one flat list of cells, row after row: a million rows are a
 * million strings a column and nothing else.
 */
export function tableFixture(
  columns: readonly string[],
  cells: CellList,
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
    private readonly cells: CellList,
    private readonly first: number,
  ) {}

  get(column: string): Cell | undefined {
    const offset = this.offsets.get(column);
    if (offset === undefined) return undefined;
    const cell = this.cells.at(this.first + offset);
    return typeof cell === "string" ? { text: cell } : cell;
  }
}

/** Cells in memory that threads share, however many they are. */
export interface SharedCells {
  /** The texts one after the other, a byte a letter where all are Latin-1. */
  readonly letters: Uint8Array | Uint16Array;
  /** Where the text of each cell ends. */
  readonly ends: Uint32Array;
  readonly kinds: Uint8Array;
}

/** Kinds of a shared cell. */
const ABSENT = 0;
const TEXT = 1;
const NESTED = 2;

/** The cells of a fixture as data that threads can be sent without a copy each. */
export function shareCells(cells: CellList): SharedCells {
  const { length } = cells;
  const ends = new Uint32Array(new SharedArrayBuffer(4 * length));
  const kinds = new Uint8Array(new SharedArrayBuffer(length));
  let [end, isWide] = [0, false];
  for (let index = 0; index < length; index++) {
    const cell = cells.at(index);
    const text = textOf(cell);
    kinds[index] = cell === undefined
      ? ABSENT
      : typeof cell !== "string" && cell.nested
      ? NESTED
      : TEXT;
    end += text.length;
    ends[index] = end;
    isWide ||= BEYOND_LATIN_1.test(text);
  }
  const letters = isWide
    ? new Uint16Array(new SharedArrayBuffer(2 * end))
    : new Uint8Array(new SharedArrayBuffer(end));
  let at = 0;
  for (let index = 0; index < length; index++) {
    const text = textOf(cells.at(index));
    for (let i = 0; i < text.length; i++) letters[at++] = text.charCodeAt(i);
  }
  return { letters, ends, kinds };
}

const BEYOND_LATIN_1 = /[^\0-\xff]/;

function textOf(cell: StoredCell): string {
  return typeof cell === "string" ? cell : cell?.text ?? "";
}

/** Reads shared cells: a text is made anew each time. */
export function readShared({ letters, ends, kinds }: SharedCells): CellList {
  return {
    length: kinds.length,
    at(index) {
      const kind = kinds[index];
      if (!kind) return undefined;
      const from = index === 0 ? 0 : ends[index - 1]!;
      const text = lettersIn(letters, from, ends[index]!);
      return kind === NESTED ? { text, nested: true } : text;
    },
  };
}

/** A call has room for so many arguments on any thread. */
const MOST_ARGUMENTS = 4_096;

function lettersIn(
  letters: SharedCells["letters"],
  from: number,
  to: number,
): string {
  let text = "";
  for (let at = from; at < to; at += MOST_ARGUMENTS) {
    const part = letters.subarray(at, Math.min(to, at + MOST_ARGUMENTS));
    // A typed array is an array of arguments, of which the types know nothing.
    text += String.fromCharCode.apply(null, part as unknown as number[]);
  }
  return text;
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
