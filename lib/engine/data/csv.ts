import { CsvError, parse } from "csv-parse/sync";
import type { FixtureFile } from "./fixture_file.ts";
import { type Fixture, type StoredCell, tableFixture } from "./table.ts";

/** The part of csv-parse's record context that is used. */
interface RecordContext {
  /** 1-based line on which the record ends; a quoted CRLF counts as two. */
  readonly lines: number;
}

/**
 * Reads CSV (RFC 4180) with a header: comma, double quotes, any line end.
 * Every ragged row is reported, not only the first.
 *
 * @throws {InputError} for what is wrong
 */
export function readCsv(
  text: string,
  fixture: FixtureFile,
  maxRows: number,
): Fixture {
  let columns: readonly string[] | undefined;
  const cells: StoredCell[] = [];
  let rows = 0;
  let lastLine = 0;
  // Lines csv-parse counted twice so far.
  let twice = 0;

  function onRecord(record: string[], { lines }: RecordContext): null {
    twice += countIn(record, /\r\n/g);
    lastLine = lines - twice;
    const line = lastLine - countIn(record, /\r\n|\n|\r/g);
    if (!columns) {
      columns = record;
      checkHeader(record, fixture);
    } else if (record.length !== columns.length) {
      reportRagged(record.length, columns.length, line, fixture);
    } else if (++rows > maxRows) {
      fixture.refuseLong(fixture.at(line), maxRows, "more");
    } else for (const cell of record) cells.push(cell);
    return null; // `cells` has them: csv-parse need not keep them as well.
  }

  try {
    parse(text, {
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: onRecord,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    addSyntaxError(error, lastLine + 1, twice, fixture);
  }
  fixture.throwIfAny();
  if (rows === 0) fixture.refuseEmpty(fixture.at(1), "it has only a header");
  return tableFixture(columns!, cells);
}

function reportRagged(
  found: number,
  expected: number,
  line: number,
  fixture: FixtureFile,
): void {
  fixture.report({
    at: fixture.at(line),
    code: "ragged-row",
    message: `row must have ${
      count(expected, "cell")
    } like the header, but it has ${found}`,
    hint: found > expected
      ? "a cell that holds a comma must be in double quotes"
      : "an empty cell still has its comma",
  });
  if (fixture.full) fixture.throwIfAny();
}

function checkHeader(
  names: readonly string[],
  fixture: FixtureFile,
): void {
  const seen = new Map<string, number>();
  let cells: ReturnType<typeof headerCells> | undefined;
  const at = (index: number) => {
    cells ??= headerCells(fixture.text);
    return fixture.atOffset(...cells[index]!);
  };
  names.forEach((name, index) => {
    const before = seen.get(name);
    if (name.trim() === "") {
      fixture.report({
        at: at(index),
        code: "empty-column",
        message: `column ${
          index + 1
        } must have a name, but the header is empty there`,
      });
    } else if (before !== undefined) {
      fixture.report({
        at: at(index),
        code: "duplicate-column",
        message: `column ${
          index + 1
        } must have a name of its own, but \`${name}\` is column ${before} already`,
      });
    } else seen.set(name, index + 1);
  });
}

/** Where each cell of the first record is, as it is written. */
function headerCells(text: string): [offset: number, length: number][] {
  const cells: [number, number][] = [];
  let at = text.search(/[^\r\n]/);
  for (;;) {
    CELL.lastIndex = at;
    const [{ length }] = CELL.exec(text)!;
    // The place of an empty cell is the comma or the line end behind it.
    cells.push([at, Math.max(length, 1)]);
    at += length;
    if (text[at] !== ",") return cells;
    at++;
  }
}

const CELL = /"(?:[^"]|"")*"|[^,\r\n]*/y;

/** The errors of csv-parse, in words of ours. */
const SYNTAX_ERRORS: Readonly<
  Record<string, { atStart?: true; message: string; hint: string }>
> = {
  CSV_QUOTE_NOT_CLOSED: {
    atStart: true,
    message: "a quoted cell that begins in this row is never closed",
    hint: 'close it with `"`; inside a quoted cell a `"` is written `""`',
  },
  INVALID_OPENING_QUOTE: {
    message: 'unexpected `"` inside a cell that is not quoted',
    hint: 'quote the whole cell and write the `"` as `""`',
  },
  CSV_INVALID_CLOSING_QUOTE: {
    message: "text follows the closing quote of a cell",
    hint: 'inside a quoted cell a `"` is written `""`',
  },
};

/**
 * @param start the line the broken record begins on
 * @param twice lines counted twice before it
 */
function addSyntaxError(
  error: CsvError,
  start: number,
  twice: number,
  fixture: FixtureFile,
): void {
  const { lines } = error as { lines?: unknown };
  // A quoted CRLF inside the broken record itself is not known of.
  const line = typeof lines === "number"
    ? Math.min(lines - twice, fixture.lineCount)
    : start;
  const known = SYNTAX_ERRORS[error.code];
  fixture.report({
    at: fixture.at(known?.atStart ? start : line),
    code: "bad-csv",
    message: known?.message ?? `not CSV: ${error.message}`,
    hint: known?.hint,
  });
}

function countIn(record: readonly string[], lineEnd: RegExp): number {
  let ends = 0;
  for (const cell of record) {
    if (cell.includes("\n") || cell.includes("\r")) {
      ends += cell.match(lineEnd)?.length ?? 0;
    }
  }
  return ends;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
