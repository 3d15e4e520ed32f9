import type { GenericSchema } from "valibot";
import * as v from "valibot";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import { lineOf } from "../../base/text/lines.ts";
import { child } from "../../base/values/pointer.ts";
import type { Node, ScalarNode } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { itemSlot, itemsOf, type Least, listForm } from "./list.ts";
import { scalarOf } from "./refuse.ts";
import type { Form, Part, Value } from "./value.ts";

/** How one kind of expression is read and spoken of. */
interface Expression<Parsed> {
  /** With its article, such as `an assertion`. */
  readonly noun: string;
  readonly example: string;
  /** @throws {ExpressionError} with the offset of the error */
  parse(text: string): Parsed;
  readonly schema: GenericSchema<unknown, Parsed>;
  readonly form: Form;
  /** Notes what else is known of one that was read. */
  note?(
    parsed: Parsed,
    node: ScalarNode,
    pointer: string,
    reader: Reader,
  ): void;
  part?(parsed: Parsed, pointer: string): Part;
}

interface Options {
  readonly least?: Least;
  readonly orOne?: true;
  /** Whether an item may be one; reports when it may not. */
  check?(node: Node, reader: Reader): boolean;
}

/**
 * A list of expressions (`assert`, `until`, `thresholds`). Every error is
 * reported where it is; what could not be read is left out.
 */
export function expressions<Parsed>(
  kind: Expression<Parsed>,
  options: Options = {},
): Value<Parsed[]> {
  const { example, part } = kind;
  const array = v.array(kind.schema);
  const hint = { ...options, example: `[${JSON.stringify(example)}]` };
  return {
    schema: options.least ? v.pipe(array, v.minLength(1)) : array,
    form: listForm(kind.form, options),
    emptyIsAbsent: true,
    *parts(values, pointer) {
      if (!part) return;
      for (const [index, value] of values.entries()) {
        yield part(value, child(pointer, index));
      }
    },
    read(node, slot, reader) {
      const read: Parsed[] = [];
      for (const item of itemsOf(node, slot, hint, reader) ?? []) {
        if (!(options.check?.(item, reader) ?? true)) continue;
        const parsed = readOne(item, slot.what, kind, reader);
        if (parsed === undefined) continue;
        const { pointer } = itemSlot(slot, read.length);
        reader.locate(pointer, item.at);
        if (item.kind === "scalar") kind.note?.(parsed, item, pointer, reader);
        read.push(parsed);
      }
      return read.length === 0 && options.least ? undefined : read;
    },
  };
}

function readOne<Parsed>(
  node: Node,
  what: string,
  kind: Expression<Parsed>,
  reader: Reader,
): Parsed | undefined {
  if (reportColonTrap(node, kind, reader)) return;
  const { noun, example } = kind;
  const expected =
    `each item of ${what} must be ${noun}, such as \`${example}\``;
  const scalar = scalarOf(node, expected, reader);
  if (!scalar) return;
  try {
    return kind.parse(scalar.text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (reportCommentTrap(scalar, noun, reader)) return;
    const { code, message, hint } = error;
    reader.report({ at: locate(scalar, error, reader), code, message, hint });
  }
}

/** A wrong value is marked to its end, anything else to the next space. */
function locate(
  node: ScalarNode,
  { code, offset }: ExpressionError,
  reader: Reader,
): Node["at"] {
  const rest = node.text.slice(offset);
  const length = /-(value|pattern|template)$|^bad-/.test(code)
    ? rest.trimEnd().length
    : rest.search(/\s|$/);
  return reader.inside(node, offset, length);
}

/** The second YAML trap: an unquoted `: ` makes a mapping of an expression. */
function reportColonTrap(
  node: Node,
  { noun, parse }: Expression<unknown>,
  reader: Reader,
): boolean {
  if (reader.surface !== "yaml") return false;
  if (node.kind !== "map" || node.unquotedTemplate) return false;
  const { range } = node.at;
  if (!range) return false;
  const line = lineOf(reader.text, range.line) ?? "";
  const text = line.slice(range.column - 1).replace(/\s+#.*$/, "").trim();
  try {
    parse(text);
  } catch {
    // Quoting it would not help.
    return false;
  }
  const thing = noun.replace(/^an? /, "");
  reader.report({
    at: reader.at({ ...range, length: Math.max(1, text.length) }),
    code: "unquoted-colon",
    message: `YAML reads the unquoted \`: \` in this ${thing} as a mapping`,
    hint: `quote this ${thing}: ${quoted(text)}`,
  });
  return true;
}

/** The third: an unquoted ` #` starts a comment and cuts an expression short. */
function reportCommentTrap(
  { plain, at }: ScalarNode,
  noun: string,
  reader: Reader,
): boolean {
  const { range } = at;
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
