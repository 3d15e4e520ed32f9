/** Where the lines of the text asked about last begin. */
let cached: { readonly text: string; readonly starts: readonly number[] } = {
  text: "",
  starts: [0],
};

/**
 * Line `number` (1-based) of `text` without its break; undefined when there is
 * no such line. A leading byte order mark belongs to no line.
 *
 * Many mistakes are looked up in one file, so the last text's lines are kept.
 */
export function lineOf(text: string, number: number): string | undefined {
  if (cached.text !== text) cached = { text, starts: startsOf(text) };
  const start = cached.starts[number - 1];
  if (start === undefined) return undefined;
  const next = cached.starts[number];
  return text.slice(start, next === undefined ? undefined : next - 1)
    .replace(/\r$/, "");
}

function startsOf(text: string): number[] {
  const starts = [text.startsWith("\ufeff") ? 1 : 0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}
