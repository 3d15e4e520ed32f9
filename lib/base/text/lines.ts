/** Where the lines of the text asked about last begin. */
let cached: { readonly text: string; readonly starts: readonly number[] } = {
  text: "",
  starts: [0],
};

/**
 * Line `number` (1-based) of `text` without its break; undefined when there is
 * no such line. A leading byte order mark belongs to no line.
 *
 * Many errors are looked up in one file, so the last text's lines are kept.
 */
export function lineOf(text: string, number: number): string | undefined {
  if (cached.text !== text) cached = { text, starts: startsOf(text) };
  const start = cached.starts[number - 1];
  if (start === undefined) return undefined;
  const next = cached.starts[number];
  const end = next === undefined ? text.length : next - 1;
  const hasReturn = end > start && text[end - 1] === "\r";
  return text.slice(start, hasReturn ? end - 1 : end);
}

/** Line and column (1-based) of the UTF-16 unit at `offset` of `text`. */
export function positionAt(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  if (cached.text !== text) cached = { text, starts: startsOf(text) };
  const { starts } = cached;
  let [line, beyond] = [0, starts.length];
  while (beyond - line > 1) {
    const middle = (line + beyond) >> 1;
    if (starts[middle]! <= offset) line = middle;
    else beyond = middle;
  }
  return { line: line + 1, column: Math.max(0, offset - starts[line]!) + 1 };
}

function startsOf(text: string): number[] {
  const starts = [text.startsWith("\ufeff") ? 1 : 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}
