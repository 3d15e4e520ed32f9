import { CsvError, parse } from "csv-parse/sync";
import type { Problems } from "./problems.ts";
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
  problems: Problems,
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
      checkHeader(record, line, problems);
    } else if (record.length !== columns.length) {
      problems.add(
        { line },
        "ragged-row",
        `row must have ${
          count(columns.length, "cell")
        } like the header, but it has ${record.length}`,
        "a cell that holds a comma must stand in double quotes",
      );
      if (problems.full) problems.throwIfAny();
    } else if (++rows > maxRows) {
      problems.fail(
        { line },
        "fixture-too-long",
        `fixture \`${problems.file}\` must have at most ${maxRows} rows, but it has more`,
      );
    } else for (const cell of record) cells.push(cell);
    return null; // Kept in `cells`; csv-parse need not keep it too.
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
    addSyntaxError(error, lastLine + 1, twice, problems);
  }
  problems.throwIfAny();
  if (rows === 0) {
    problems.fail(
      { line: 1 },
      "empty-fixture",
      `fixture \`${problems.file}\` must have at least one row, but it has only a header`,
    );
  }
  return tableFixture(columns!, cells);
}

function checkHeader(
  names: readonly string[],
  line: number,
  problems: Problems,
): void {
  const seen = new Map<string, number>();
  names.forEach((name, index) => {
    const before = seen.get(name);
    if (name.trim() === "") {
      problems.add(
        { line },
        "empty-column",
        `column ${index + 1} must have a name, but the header is empty there`,
      );
    } else if (before !== undefined) {
      problems.add(
        { line },
        "duplicate-column",
        `column ${
          index + 1
        } must have a name of its own, but \`${name}\` is column ${before} already`,
      );
    } else seen.set(name, index + 1);
  });
}

/**
 * @param start the line the broken record begins on
 * @param twice lines counted twice before it
 */
function addSyntaxError(
  error: CsvError,
  start: number,
  twice: number,
  problems: Problems,
): void {
  const { lines } = error as { lines?: unknown };
  // A quoted CRLF inside the broken record itself is not known of.
  const line = typeof lines === "number"
    ? Math.min(lines - twice, problems.lineCount)
    : start;
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      problems.add(
        { line: start },
        "bad-csv",
        "a quoted cell that begins in this row is never closed",
        'close it with `"`; inside a quoted cell a `"` is written `""`',
      );
      break;
    case "INVALID_OPENING_QUOTE":
      problems.add(
        { line },
        "bad-csv",
        'a `"` stands inside a cell that is not quoted',
        'quote the whole cell and write the `"` as `""`',
      );
      break;
    case "CSV_INVALID_CLOSING_QUOTE":
      problems.add(
        { line },
        "bad-csv",
        "text follows the closing quote of a cell",
        'inside a quoted cell a `"` is written `""`',
      );
      break;
    default:
      problems.add({ line }, "bad-csv", `not CSV: ${error.message}`);
  }
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
