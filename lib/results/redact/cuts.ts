import { LONGEST_NAME } from "./entities.ts";

/** Where a text was cut off. */
export interface Edges {
  readonly start: boolean;
  readonly end: boolean;
}

/** A text that is all there. */
export const WHOLE: Edges = { start: false, end: false };

/** What a text that was shortened shows in place of the rest. */
export const ELLIPSIS = 0x2026;

/** So much of a secret is looked for at a cut, or half of a shorter one. */
export const PART = 4;

/** The longest rest of an escape that a cut went through: a name of HTML. */
export const LONGEST_REST: number = LONGEST_NAME + 2;
const BROKEN_ESCAPE = /^[%\\&=][\w%\\&=#;{\r\n]*$/;

/** Which ends of a part of a text are beside a cut; line breaks do not count. */
export function edgesOf(
  text: string,
  from: number,
  to: number,
  { start, end }: Edges,
): Edges {
  let [first, last] = [from, to];
  while (isLineBreak(text.charCodeAt(first - 1))) first--;
  while (isLineBreak(text.charCodeAt(last))) last++;
  return {
    start: first === 0 ? start : text.charCodeAt(first - 1) === ELLIPSIS,
    end: last === text.length ? end : text.charCodeAt(last) === ELLIPSIS,
  };
}

function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

/** Where an escape ends that begins at `at` and was cut; -1 when it was not. */
export function brokenEscape(text: string, at: number, edges: Edges): number {
  const rest = text.slice(at, at + LONGEST_REST);
  const dots = rest.indexOf("\u2026");
  if (dots < 0 && (!edges.end || at + rest.length < text.length)) return -1;
  const escape = dots < 0 ? rest : rest.slice(0, dots);
  return BROKEN_ESCAPE.test(escape) ? at + escape.length : -1;
}
