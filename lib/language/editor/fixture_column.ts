import { positionAt } from "../../base/text/lines.ts";

/** A part of one line: 0-based, as editors count. */
interface LineRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/**
 * Where a fixture names a column: in the header of a CSV file, or as the first
 * such key of a JSON file.
 *
 * @param path says which of the two it is
 */
export function columnIn(
  text: string,
  path: string,
  name: string,
): LineRange | undefined {
  const found = /\.json$/i.test(path) ? keyIn(text, name) : cellIn(text, name);
  if (!found) return;
  const [start, end] = found;
  const { line, column } = positionAt(text, start);
  const at = (character: number) => ({ line: line - 1, character });
  return { start: at(column - 1), end: at(column - 1 + end - start) };
}

/** The key's text without its quotes. */
function keyIn(text: string, name: string): [number, number] | undefined {
  const key = JSON.stringify(name);
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    const end = at + key.length;
    if (/^\s*:/.test(text.slice(end, end + 100))) return [at + 1, end - 1];
  }
}

/** The header is the first line that is not blank (RFC 4180). */
function cellIn(text: string, name: string): [number, number] | undefined {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|\r|$)/y;
  cell.lastIndex = /^\ufeff?[\r\n]*/.exec(text)![0].length;
  for (;;) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) return;
    const [, written = "", separator] = found;
    const quote = written.startsWith('"') ? 1 : 0;
    const value = quote ? written.slice(1, -1).replaceAll('""', '"') : written;
    if (value === name) return [at + quote, at + written.length - quote];
    if (separator !== ",") return;
  }
}
