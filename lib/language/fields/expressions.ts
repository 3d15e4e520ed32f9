import type { GenericSchema } from "valibot";
import { ExpressionError } from "../../base/errors/bench_error.ts";
import { lineOf } from "../../base/text/location.ts";
import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { offeredBy } from "../expressions/elsewhere.ts";
import type { Node, ScalarNode } from "../source/node.ts";
import { list, type ListOptions } from "./list.ts";
import type { Form, Part, Slot, Value } from "./field.ts";

/** How one kind of expression is read and spoken of. */
interface Expression<Parsed> {
  /** With its article, such as `an assertion`. */
  readonly noun: string;
  readonly example: string;
  /** The subject that the key of a mapping in its place stands for. */
  readonly subject?: (key: string) => string;
  /** The expression that a mapping of another tool stands for. */
  readonly elsewhere?: (key: string, text: string) => string | undefined;
  /**
   * @param version of the flow file
   * @throws {ExpressionError} with the offset of the error
   */
  parse(text: string, version?: 0 | 1): Parsed;
  readonly schema: GenericSchema<unknown, Parsed>;
  readonly form: Form;
  /** Notes what else is known of one that was read. */
  note?(parsed: Parsed, node: ScalarNode, slot: Slot): void;
  parts?(parsed: Parsed, pointer: string): Iterable<Part>;
}

/**
 * A list of expressions (`assert`, `until`, `thresholds`). Every error is
 * reported where it is; what could not be read is left out.
 */
export function expressions<Parsed>(
  kind: Expression<Parsed>,
  options: ListOptions = {},
): Value<Parsed[]> {
  const { noun, example, parse } = kind;
  return list({
    ...kind,
    read(slot) {
      if (reportColonTrap(slot, kind)) return;
      const expected = `${slot.what} must be ${noun}, such as \`${example}\``;
      const scalar = slot.scalar(expected, asMapping(slot.node, kind));
      if (!scalar || reportLineTrap(scalar, kind, slot)) return;
      try {
        const parsed = parse(scalar.text, slot.reader.version);
        kind.note?.(parsed, scalar, slot);
        return parsed;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        if (reportCommentTrap(scalar, noun, slot)) return;
        const { code, message, hint } = error;
        const at = locate(scalar, error, slot);
        return slot.report({ at, code, message, hint });
      }
    },
  }, { ...options, example: `[${JSON.stringify(example)}]` });
}

/** The fourth: YAML joins the indented lines below an expression to it. */
function reportLineTrap(
  { plain, text, at: { range } }: ScalarNode,
  { noun, parse }: Expression<unknown>,
  { reader }: Slot,
): boolean {
  if (!plain || !range) return false;
  const lineAt = (number: number) => lineOf(reader.text, number);
  const own = lineAt(range.line)?.slice(range.column - 1).trimEnd() ?? "";
  if (own.length >= text.length || !text.startsWith(own)) return false;
  let rest = text.slice(own.length).trimStart();
  for (let number = range.line + 1; rest !== ""; number++) {
    const line = lineAt(number);
    if (line === undefined) return false;
    const next = line.replace(/\s+#.*$/, "").trim();
    if (/^-\s/.test(next) || isRead(next, parse)) {
      const thing = noun.replace(/^an? /, "");
      reader.report({
        at: reader.at({
          line: number,
          column: line.indexOf(next) + 1,
          length: next.length,
        }),
        code: "unquoted-lines",
        message: `YAML reads this line as a part of the ${thing} above it`,
        hint: `begin it with \`- \`, in the column of the ${thing}s above`,
      });
      return true;
    }
    rest = rest.slice(next.length).trimStart();
  }
  return false;
}

function isRead(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A wrong value is marked to its end, anything else to the next space. */
function locate(
  { text }: ScalarNode,
  { code, offset }: ExpressionError,
  slot: Slot,
) {
  const rest = text.slice(offset);
  const length = /-(value|pattern|template)$|^bad-/.test(code)
    ? rest.trimEnd().length
    : rest.search(/\s|$/);
  return slot.inside(offset, length);
}

const DURATION = new RegExp(`^${DURATION_PATTERN}$`);

/** `status: 200` as the expression that it is meant to be. */
function asMapping(
  node: Node,
  { parse, subject = (key) => key, elsewhere }: Expression<unknown>,
): string | undefined {
  if (node.kind !== "map") return;
  const [entry] = node.entries;
  if (entry?.value.kind !== "scalar") return "write it as one text";
  const { key: written, value: { text } } = entry;
  const theirs = elsewhere?.(written, text);
  if (theirs !== undefined) return `write it as one text: \`${theirs}\``;
  const named = /^[\w-]+$/.test(written) ? subject(written) : written;
  const key = offeredBy(hintOf(`${named} < 1`, parse)) ?? named;
  // A duration is a limit: no response takes just that long.
  const operators = DURATION.test(text) ? ["<", "=="] : ["==", "<"];
  // Elsewhere a rate is in percent.
  const unit = key.endsWith("_rate") && Number(text) >= 1 ? "%" : "";
  // Elsewhere a limit of a latency is in milliseconds.
  const meant = [
    text,
    ...operators.map((each) => `${each} ${text}${unit}`),
    `< ${text}ms`,
  ]
    .map((each) => `${key} ${each}`)
    .find((each) => isRead(each, parse));
  return meant === undefined
    ? "write it as one text"
    : `write it as one text: \`${meant}\``;
}

/** The way out that a text is refused with. */
function hintOf(
  text: string,
  parse: (text: string) => unknown,
): string | undefined {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error.hint;
  }
}

/** The second YAML trap: an unquoted `: ` makes a mapping of an expression. */
function reportColonTrap(
  slot: Slot,
  { noun, parse }: Expression<unknown>,
): boolean {
  const { node, reader } = slot;
  const { range } = node.at;
  if (reader.surface !== "yaml" || !range) return false;
  if (node.kind !== "map" || node.unquotedTemplate) return false;
  // Behind it may be other items of a list in brackets.
  const last = node.entries.at(-1)?.value.at.range;
  const end = last?.line === range.line ? last.column - 1 + last.length : 0;
  const line = lineOf(reader.text, range.line) ?? "";
  const colon = /^\s*:/.exec(line.slice(end))?.[0].length ?? 0;
  const text = line.slice(range.column - 1, end + colon).trim();
  // Quoting it would not help.
  if (!isRead(text, parse)) return false;
  const thing = noun.replace(/^an? /, "");
  slot.report({
    at: reader.at({ ...range, length: Math.max(1, text.length) }),
    code: "unquoted-colon",
    message: `YAML reads the unquoted \`: \` in this ${thing} as a mapping`,
    hint: `quote this ${thing}: ${quoted(text)}`,
  });
  return true;
}

/** The third: an unquoted ` #` starts a comment and cuts an expression short. */
function reportCommentTrap(
  { plain, at: { range } }: ScalarNode,
  noun: string,
  { reader }: Slot,
): boolean {
  if (!plain || !range) return false;
  const line = lineOf(reader.text, range.line) ?? "";
  const end = range.column - 1 + range.length;
  const comment = /^\s+(#.*?)\s*$/.exec(line.slice(end));
  if (!comment) return false;
  const thing = noun.replace(/^an? /, "");
  const whole = line.slice(range.column - 1).trimEnd();
  reader.report({
    at: reader.at({
      line: range.line,
      column: end + comment[0].indexOf("#") + 1,
      length: comment[1]!.length,
    }),
    code: "unquoted-comment",
    message: `YAML reads the unquoted \`${
      comment[1]
    }\` as a comment, which cuts this ${thing} short`,
    hint: `quote this ${thing}: ${quoted(whole)}`,
  });
  return true;
}

/** `text` as a YAML scalar that means exactly it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
