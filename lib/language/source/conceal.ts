/** A part of a text by its offsets; the end is not in it. */
export type Range = readonly [from: number, to: number];

/** Stands for each UTF-16 unit of what is hidden; YAML gives it no meaning. */
const DOT = "•";

/**
 * Templates, what is left of broken ones but no more, the word a scheme writes itself, and a
 * whole text that names a variable as other tools do.
 */
const SHOWN =
  /^["']?(?:(?:Bearer|Basic)\s+)?[$#]\{[a-z_][\w.]*\}["']?$|\{\{\s*[a-z_](?:[\w.-]|\[(?:'[^'{}]*'|\\?"[^"{}]*")\])*\s*\}\}|\{\{\s*(?:env\.\w*\s*)?\}?|\}\}|^(?:Bearer|Basic)\s+(?=\S)/gi;

/**
 * `text` with dots in the place of what `ranges` hold; templates and line
 * breaks in there stay, so every line and column is where it was.
 */
export function conceal(text: string, ranges: readonly Range[]): string {
  let result = "";
  let at = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= at) {
      result += text.slice(at, from) + dotted(text.slice(from, to));
      at = Math.max(at, Math.min(to, text.length));
      continue;
    }
    // Dots are as long as what they hide: what overlaps is hidden once more.
    const end = Math.max(at, Math.min(to, text.length));
    const both = result.slice(from) + text.slice(at, end);
    result = result.slice(0, from) + dotted(both.slice(0, to - from)) +
      both.slice(to - from);
    at = end;
  }
  return result + text.slice(at);
}

function dotted(part: string): string {
  let result = "";
  let at = 0;
  for (const [from, to] of literalParts(part)) {
    result += part.slice(at, from) + part.slice(from, to).replaceAll(
      /\S(?:[^\r\n]*\S)?/g,
      (each) => DOT.repeat(each.length),
    );
    at = to;
  }
  return result + part.slice(at);
}

/** The parts between the templates of a text. */
export function literalParts(text: string): Range[] {
  const found: Range[] = [];
  let at = 0;
  for (const { 0: shown, index } of text.matchAll(SHOWN)) {
    if (index > at) found.push([at, index]);
    at = index + shown.length;
  }
  if (at < text.length) found.push([at, text.length]);
  return found;
}
