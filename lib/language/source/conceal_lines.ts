import type { Hiding, Range } from "./conceal.ts";

/** A key and its colon, quoted or not; the colon may be what is missing. */
const KEY =
  /(["']?)(?<key>[A-Za-z_][\w-]*)\1\s*:|(["'])(?<bare>[A-Za-z_][\w-]*)\3\s+(?=["'])/g;

/**
 * The same as `hiddenRanges`, line by line: of a text that is no YAML, the
 * library's tree may lack the very part that is hidden.
 */
export function hiddenLines(source: string, hiding: Hiding): Range[] {
  const found: Range[] = [];
  /** Column of the key that hidden keys are looked for below. */
  let region = hiding.below === undefined ? -1 : Infinity;
  /** Column of a hidden key whose value is on the lines below it. */
  let open = Infinity;
  let start = 0;
  for (const line of source.split("\n")) {
    const column = line.search(/[^\s-]/);
    if (column >= 0) {
      if (column <= open) open = Infinity;
      if (hiding.below !== undefined && column <= region) region = Infinity;
      read(line, column);
    }
    start += line.length + 1;
  }
  return found;

  function read(line: string, column: number): void {
    if (column > open) {
      found.push([start + column, start + line.length]);
      return;
    }
    for (const { 0: text, groups, index } of line.matchAll(KEY)) {
      const key = groups!.key ?? groups!.bare!;
      if (key === hiding.below) region = Math.min(region, index);
      else if (index > region && hiding.key(key)) {
        const from = index + text.length;
        const value = valueOf(line, from);
        // The value, or more of it, is on the lines below.
        if (/^(?:[|>].*)?$/.test(value.trim())) open = index;
        found.push(...unquoted(value, start + from));
      }
    }
  }
}

/** What follows a key on its line: to a comment, or to where `{ }` goes on. */
function valueOf(line: string, from: number): string {
  const rest = line.slice(from).replace(/\s#.*$/, "");
  if (!/[{,][^{}]*$/.test(line.slice(0, from))) return rest;
  return /^(?:\s*(["'])(?:\\.|(?!\1).)*\1)?(?:\{\{[^{}]*\}\}|[^,}])*/.exec(
    rest,
  )![0];
}

function unquoted(value: string, at: number): Range[] {
  const [, space, quote, text] = /^(\s*)(["']?)(.*)$/s.exec(value)!;
  const from = at + space!.length + quote!.length;
  const closed = quote !== "" && text!.trimEnd().endsWith(quote!);
  const length = text!.trimEnd().length - (closed ? 1 : 0);
  return length > 0 ? [[from, from + length]] : [];
}
