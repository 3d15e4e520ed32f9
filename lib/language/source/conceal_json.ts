import {
  conceal,
  hiddenRanges,
  type Hiding,
  parseLeniently,
  type Range,
} from "./conceal.ts";
import { hiddenLines } from "./conceal_lines.ts";

/**
 * IR JSON as its errors may show it: as valid or invalid as it was, with dots
 * in hidden strings and nines in hidden numbers. JSON is YAML enough for the
 * library to find them, whole or broken.
 */
export function concealJson(text: string, hiding: Hiding): string {
  const ranges = rangesOf(text, hiding);
  const quoted = ([from]: Range) => text[from - 1] === '"';
  let result = conceal(text, ranges.filter(quoted));
  for (const [from, to] of ranges.filter((range) => !quoted(range))) {
    const nines = result.slice(from, to).replaceAll(/\d/g, "9");
    result = result.slice(0, from) + nines + result.slice(to);
  }
  return result;
}

function rangesOf(text: string, hiding: Hiding): Range[] {
  const document = parseLeniently(text);
  if (!document) return hiddenLines(text, hiding);
  const found = hiddenRanges(document, text, hiding);
  return document.errors.length === 0
    ? found
    : [...found, ...hiddenLines(text, hiding)];
}
