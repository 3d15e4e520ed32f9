import { BenchError } from "../../base/errors/bench_error.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { WorkLimitError } from "../../base/values/work.ts";
import { follow } from "./follow.ts";

/** One fixture cell as it is written; of a nested object or list its JSON text. */
export interface Cell {
  readonly text: string;
  readonly nested?: true;
}

/** One fixture row. A `Map` is one; a fixture keeps its rows smaller than that. */
export interface Row {
  /** The cell under `column`; undefined when this row has none. */
  get(column: string): Cell | undefined;
}

/**
 * The values that templates and assertions see while an iteration runs. Every name was
 * given an index before the run, so that looking one up is an array access.
 */
export interface Scope {
  /** Extracted variables by index; undefined until extracted. */
  readonly variables: (JsonValue | undefined)[];
  /** The row of each pool by index; undefined when the pool is exhausted. */
  readonly rows: (Row | undefined)[];
  /** The values drawn for the iteration, by index. */
  values?: readonly Drawn[] | undefined;
  /** Of the iteration, where requests say it. */
  traceparent?: string;
}

/** A value that was drawn, or why its text could not be made. */
export type Drawn = JsonValue | Embedded | ResolutionError;

/** A scope for templates that are constant. */
export const NO_SCOPE: Scope = { variables: [], rows: [] };

/** The names a flow may refer to, fixed before the run. */
export interface Names {
  /** Index of each extracted variable. */
  readonly variables: ReadonlyMap<string, number>;
  /** Index of each pool. */
  readonly pools: ReadonlyMap<string, number>;
  /** Index of each value that is drawn. */
  readonly values?: ReadonlyMap<string, number>;
  /** Value of each environment variable the flow names. */
  readonly env: ReadonlyMap<string, string>;
}

/** One `{{ root.path }}`. */
export interface Reference {
  /** `env`, a pool (`user`), a drawn value, or an extracted variable. */
  readonly root: string;
  readonly path: readonly string[];
}

/** Text with references in it; strings are literal. */
export type TemplateParts = readonly (string | Reference)[];

/** A template names something that has no value. */
export class ResolutionError extends BenchError {
  override readonly name = "ResolutionError";
}

const NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_-]*";
/** A name: letters, digits, `_` and `-`; no digit and no `-` first. */
export const NAME = new RegExp(`^${NAME_PATTERN}$`);
/** A name after a dot; one with brackets, or what looks like a call, is in quotes. */
const PLAIN = "[^\\s.{}\\[\\]()|]+";
const QUOTED = `\\[(?:'[^'{}]+'|"[^"{}]+")\\]`;
/** An item of a list; from its end when it is negative. */
const INDEX = "\\[(?:0|-?[1-9][0-9]*)\\]";
/** `name`, `name.path`, `name['a path']` or `name[0]`, for editors. */
export const REFERENCE_PATTERN =
  `${NAME_PATTERN}(?:\\.${PLAIN}|${QUOTED}|${INDEX})*`;
const REFERENCE = new RegExp(`^${REFERENCE_PATTERN}$`);
const SEGMENT = new RegExp(
  `\\.(${PLAIN})|\\[(?:'([^']+)'|"([^"]+)"|([^'"\\]]+))\\]`,
  "g",
);

/**
 * Template := ( text | "{{" ws ( reference | braces ) ws "}}" )*
 * braces := "'{{'" | "'}}'" | "'{'" | "'}'", in either kind of quotes
 * reference := root ( "." name | "['" text "']" )*
 *
 * @throws {SyntaxError} for an unclosed or malformed `{{`
 */
export function parseTemplate(text: string): TemplateParts {
  const parts: (string | Reference)[] = [];
  let literal = "";
  let at = 0;
  for (const { start, written, braces } of templatesIn(text)) {
    literal += text.slice(at, start) + (braces ?? "");
    at = start + written.length;
    if (braces !== undefined) continue;
    const reference = parseTemplateAt(written);
    if (literal !== "") parts.push(literal);
    parts.push(reference);
    literal = "";
  }
  literal += text.slice(at);
  if (literal !== "") parts.push(literal);
  return parts;
}

/** A template of a text, as it is written. */
export interface WrittenTemplate {
  readonly start: number;
  /** To the end of the text where it is not closed. */
  readonly written: string;
  /** The braces that it stands for, where it is no reference: `{{ '{{' }}`. */
  readonly braces?: string;
}

const MARKS = "\\{\\{?|\\}\\}?";
/** Braces that are written as such, in either kind of quotes. */
export const BRACES_PATTERN =
  `\\{\\{\\s*(?:'(?:${MARKS})'|"(?:${MARKS})")\\s*\\}\\}`;
const BRACES = new RegExp(BRACES_PATTERN, "y");

/** The templates of a text, in order, malformed ones included. */
export function* templatesIn(text: string): Generator<WrittenTemplate> {
  for (let start = text.indexOf("{{"); start >= 0;) {
    BRACES.lastIndex = start;
    const whole = BRACES.exec(text)?.[0];
    const braces = whole?.slice(2, -2).trim().slice(1, -1);
    const close = text.indexOf("}}", start + 2);
    const end = close < 0 ? text.length : close + 2;
    const written = whole ?? text.slice(start, end);
    yield { start, written, ...(braces !== undefined && { braces }) };
    start = text.indexOf("{{", start + written.length);
  }
}

/** A template from its parts; braces of its text that would begin one are written as such. */
export function writeTemplate(parts: TemplateParts): string {
  let written = "";
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      written += escapeBraces(text).replace(/\{$/, "{{ '{' }}") + quote(part);
      text = "";
    }
  }
  return written + escapeBraces(text);
}

function escapeBraces(text: string): string {
  return text.replaceAll("{{", "{{ '{{' }}");
}

/** As much of a text as identifies it. */
function beginning(text: string): string {
  return text.length <= MOST_QUOTED ? text : `${text.slice(0, MOST_QUOTED)}…`;
}

const MOST_QUOTED = 120;

/** The template in its one spelling: `{{ name.path }}`, one space each side. */
export function normaliseTemplate(text: string): string {
  return writeTemplate(parseTemplate(text));
}

/** Whether the text is exactly one reference and nothing else. */
export function wholeReference(text: string): Reference | undefined {
  const [first, ...rest] = parseTemplate(text);
  return typeof first === "object" && rest.length === 0 ? first : undefined;
}

/** The reference as the user would write it. */
export function quote(reference: Reference): string {
  return `{{ ${formatReference(reference)} }}`;
}

const IS_INDEX = new RegExp(`^${INDEX}$`);

/**
 * The reference in a message about a variable: items of a list are in brackets, as most
 * flows write them, where the one spelling has dots.
 */
export function quoteItems({ root, path }: Reference): string {
  const parts = path.map((segment) =>
    IS_INDEX.test(`[${segment}]`) ? `[${segment}]` : written(segment)
  );
  return `{{ ${root}${parts.join("")} }}`;
}

/** The text between the braces of a template, in its one spelling. */
export function formatReference({ root, path }: Reference): string {
  return root + path.map(written).join("");
}

const IS_PLAIN = new RegExp(`^${PLAIN}$`);

function written(segment: string): string {
  if (IS_PLAIN.test(segment)) return `.${segment}`;
  return segment.includes("'") ? `["${segment}"]` : `['${segment}']`;
}

/** Compiles a template whose result is text (URL, header, query, auth). */
export function compileText(text: string, names: Names): TextTemplate {
  return joinedText(
    parseTemplate(text).map((part) =>
      typeof part === "string" ? part : compileAsText(part, names)
    ),
  );
}

/** A reference inside a longer string: strings as they are, others as JSON. */
export function compileAsText(reference: Reference, names: Names): TextPart {
  if (reference.root === "env") return envValue(reference, names);
  const lookup = compileReference(reference, names);
  return (scope) => {
    const value = lookup(scope);
    if (typeof value !== "string") return inJson(value, reference);
    if (value.isWellFormed()) return value;
    throw unresolved(reference, HALF_A_CHARACTER);
  };
}

/** A reference as a JSON leaf. */
export function compileAsJson(reference: Reference, names: Names): TextPart {
  if (reference.root === "env") return canonical(envValue(reference, names));
  const lookup = compileReference(reference, names);
  return (scope) => inJson(lookup(scope), reference);
}

/** As long as the largest body that is read. */
const LONGEST_JSON = 16 << 20;

/** A response may hold a value that JSON cannot say, such as 1e400. */
function inJson(value: Value, reference: Reference): string {
  if (value instanceof Embedded) return value.text;
  try {
    return canonical(value, LONGEST_JSON);
  } catch (error) {
    if (error instanceof WorkLimitError) throw unresolved(reference, TOO_LONG);
    const half = /surrogate/.test((error as Error).message);
    throw unresolved(reference, half ? HALF_A_CHARACTER : TOO_LARGE);
  }
}

const HALF_A_CHARACTER =
  "holds half a surrogate pair, which is not a character";
const TOO_LONG = "is longer than 16 MiB as JSON";
const TOO_LARGE = "holds a number too large for JSON";

/** The environment is fixed before the run. */
export function envValue({ path }: Reference, { env }: Names): string {
  return env.get(path.join(".")) ?? "";
}

/**
 * Compiles one reference to a lookup.
 *
 * @returns throws ResolutionError when there is no value
 */
export function compileReference(
  reference: Reference,
  names: Names,
): (scope: Scope) => Value {
  const { root, path } = reference;
  const variable = names.variables.get(root);
  if (variable !== undefined) {
    return (scope) => {
      const value = follow(scope.variables[variable], path);
      if (value === undefined) throw valueless(reference);
      return value;
    };
  }
  const value = names.values?.get(root);
  if (value !== undefined) {
    return (scope) => {
      const drawn = drawnAt(scope, value);
      if (path.length === 0 || drawn instanceof Embedded) return drawn;
      const part = follow(drawn, path);
      if (part === undefined) throw valueless(reference);
      return part;
    };
  }
  const pool = names.pools.get(root);
  if (pool !== undefined) {
    const column = path.join(".");
    return (scope) => {
      const row = scope.rows[pool];
      if (!row) {
        throw unresolved(reference, "has no row: the pool is exhausted");
      }
      const cell = row.get(column);
      if (!cell) throw unresolved(reference, "names a column this row lacks");
      return cell.nested ? new Embedded(cell.text) : cell.text;
    };
  }
  throw unresolved(reference, "names nothing");
}

/** The value at an index. @throws {ResolutionError} where its text could not be made */
export function drawnAt(scope: Scope, index: number): JsonValue | Embedded {
  const drawn = scope.values![index]!;
  if (drawn instanceof ResolutionError) throw drawn;
  return drawn;
}

/**
 * JSON text, verbatim in text and in JSON: a fixture's nested object or list, and a
 * decimal with its digits.
 */
export class Embedded {
  constructor(readonly text: string) {}
}

type Value = JsonValue | Embedded;

function parseTemplateAt(written: string): Reference {
  if (!written.endsWith("}}")) {
    throw new SyntaxError(`template is not closed: ${beginning(written)}`);
  }
  const reference = parseReference(written.slice(2, -2).trim());
  if (reference) return reference;
  throw new SyntaxError(
    `${
      beginning(written)
    } is not a template: expected {{ name }} or {{ name.path }}`,
  );
}

/** Reads what is in the braces of a template; undefined when it is no reference. */
export function parseReference(text: string): Reference | undefined {
  if (!REFERENCE.test(text)) return undefined;
  const [root = ""] = new RegExp(NAME_PATTERN).exec(text)!;
  const path = [...text.slice(root.length).matchAll(SEGMENT)]
    .map(([, plain, single, double, index]) =>
      plain ?? single ?? double ?? index!
    );
  return { root, path };
}

function valueless(reference: Reference): ResolutionError {
  return new ResolutionError(`${quoteItems(reference)} has no value`);
}

function unresolved(reference: Reference, why: string): ResolutionError {
  return new ResolutionError(`${quote(reference)} ${why}`);
}

/** A template made ready: text for one scope. */
export interface TextTemplate {
  /** The text, when it is the same for every scope (literals and env only). */
  readonly constant?: string;
  render(scope: Scope): string;
}

/** Text that is known, or how it is made. */
export type TextPart = string | ((scope: Scope) => string);

/** A template as a part of a longer one. */
export function partOf({ constant, render }: TextTemplate): TextPart {
  return constant ?? render;
}

/** Parts one after the other; constant when all of them are known. */
export function joinedText(parts: Iterable<TextPart>): TextTemplate {
  const merged = mergeKnown(parts);
  const [first = "", ...rest] = merged;
  if (rest.length > 0) {
    return {
      render(scope) {
        let out = "";
        for (const part of merged) {
          out += typeof part === "string" ? part : part(scope);
        }
        return out;
      },
    };
  }
  return typeof first === "string"
    ? { constant: first, render: () => first }
    : { render: first };
}

function mergeKnown(parts: Iterable<TextPart>): TextPart[] {
  const merged: TextPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") {
      merged[merged.length - 1] = last + part;
    } else if (part !== "") merged.push(part);
  }
  return merged;
}
