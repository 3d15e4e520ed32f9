import { positionAt } from "../../base/text/location.ts";
import { NAME } from "../expressions/template.ts";
import { notAName } from "../fields/scalars.ts";
import { RESERVED_NAMES, reservedName } from "../flow/extract.ts";
import { isKnown, isSubject, type NameUse } from "./names.ts";
import type { TextChange } from "./suggestion.ts";

/** The name that has the character at `offset`, or ends there. */
export function nameAt(
  names: readonly NameUse[],
  offset: number,
): NameUse | undefined {
  return names.find(({ start, end }) => start <= offset && offset <= end);
}

/**
 * Every location where that name is written. Those of a step are also those of the
 * variables and sessions that come from it.
 */
export function usesOf(
  names: readonly NameUse[],
  use: NameUse,
): NameUse[] {
  const { kind, name } = use;
  const made = kind === "step" ? names.find(isStep(name)) : undefined;
  return names.filter((each) =>
    (each.kind === kind && each.name === name &&
      (kind !== "column" || each.pool === use.pool)) ||
    (made && each.kind !== "step" && !each.defines &&
      definitionOfUse(names, each).some(({ step, list }) =>
        step === made.step && list === made.list
      ))
  );
}

function isStep(id: string): (use: NameUse) => boolean {
  return ({ kind, name, defines }) => kind === "step" && defines && name === id;
}

/**
 * Where the value comes from that a use sees: the last step before it that makes
 * it. Every location that makes the name when none of them is before it.
 */
export function definitionOfUse(
  names: readonly NameUse[],
  use: NameUse,
): NameUse[] {
  if (use.defines) return [use];
  if (use.kind === "step") return names.filter(isStep(use.name));
  const made = usesOf(names, use).filter(({ defines }) => defines);
  const before = made.findLast((each) => isKnown(each, use));
  return before ? [before] : made;
}

/** The edits of a rename, or why it cannot be. */
type Rename =
  | { readonly changes: readonly TextChange[] }
  | { readonly refused: string };

/** Gives a variable another name, wherever it is written. */
export function rename(
  names: readonly NameUse[],
  use: NameUse,
  to: string,
): Rename {
  const refused = whyNot(names, use, to);
  if (refused !== undefined) return { refused };
  const changes = usesOf(names, use)
    .map(({ start, end }) => ({ start, end, text: to }));
  return { changes };
}

/** Why that name cannot be changed at all. */
export function whyFixed({ kind, name }: NameUse): string | undefined {
  switch (kind) {
    case "variable":
      return undefined;
    case "env":
      return `\`${name}\` is an environment variable, which is named outside of this file`;
    case "column":
      return `\`${name}\` is a column, which is named by the fixture`;
    case "step":
      return `\`${name}\` is the id of a step: only variables can be renamed`;
    case "session":
      return "only variables can be renamed";
    default:
      return kind satisfies never;
  }
}

function whyNot(
  names: readonly NameUse[],
  use: NameUse,
  to: string,
): string | undefined {
  const fixed = whyFixed(use);
  if (fixed !== undefined || to === use.name) return fixed;
  if (!NAME.test(to)) {
    return notAName("a variable's name", to);
  }
  if (RESERVED_NAMES.includes(to)) return reservedName(to);
  if (names.some(({ kind, name }) => kind === "variable" && name === to)) {
    return `there is a variable \`${to}\` already`;
  }
  const uses = usesOf(names, use);
  if (!uses.some(({ defines }) => defines)) {
    return `no step extracts \`${use.name}\`, and no value has that name`;
  }
  const asserted = uses.some(({ asserted }) => asserted);
  return asserted && isSubject(to)
    ? `\`${to}\` at the start of an assertion is not a variable`
    : undefined;
}

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
