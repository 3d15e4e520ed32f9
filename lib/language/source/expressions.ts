import { ExpressionError } from "../../base/errors/expression_error.ts";
import { lineOf } from "../../base/text/lines.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import { describe, type Node, type ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";
import { scalarOf } from "./scalars.ts";

/** How one kind of expression is read and spoken of. */
export interface ExpressionForm<Parsed> {
  /** With its article, such as `an assertion`. */
  readonly noun: string;
  readonly example: string;
  /** @throws {ExpressionError} with the offset of the mistake */
  readonly parse: (text: string) => Parsed;
}

/**
 * Reads a list of expressions (`assert`, `until`, `thresholds`), each with its node. Reports every mistake where it stands; what could not be read is
 * left out.
 */
export function readExpressions<Parsed>(
  node: Node,
  what: string,
  form: ExpressionForm<Parsed>,
  reader: Reader,
): { readonly parsed: Parsed; readonly node: Node }[] {
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${what} must be a list, but it is ${describe(node)}`,
      hint: node.kind === "scalar" && typeof node.value === "string" &&
          node.text !== ""
        ? `write it as a list: [${JSON.stringify(node.text)}]`
        : `for example [${JSON.stringify(form.example)}]`,
    });
    return [];
  }
  return node.items.flatMap((item) => {
    const parsed = readExpression(item, what, form, reader);
    return parsed === undefined ? [] : [{ parsed, node: item }];
  });
}

function readExpression<Parsed>(
  node: Node,
  what: string,
  form: ExpressionForm<Parsed>,
  reader: Reader,
): Parsed | undefined {
  if (reportColonTrap(node, form, reader)) return;
  const { noun, parse, example } = form;
  const wanted = `each item of ${what} must be ${noun}, such as \`${example}\``;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  try {
    return parse(scalar.text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (reportCommentTrap(scalar, noun, reader)) return;
    reader.report({
      at: locationOf(scalar, error, reader),
      code: error.code,
      message: error.message,
      hint: error.hint,
    });
  }
}

/** A wrong value is marked to its end, anything else to the next space. */
function locationOf(
  node: ScalarNode,
  { code, offset }: ExpressionError,
  reader: Reader,
): SourceLocation {
  const rest = node.text.slice(offset);
  const length = /-(value|pattern|template)$|^bad-/.test(code)
    ? rest.trimEnd().length
    : rest.search(/\s|$/);
  return reader.inside(node, offset, length);
}

/** The second YAML trap: an unquoted `: ` makes a mapping of an expression. */
function reportColonTrap(
  node: Node,
  { noun, parse }: ExpressionForm<unknown>,
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
