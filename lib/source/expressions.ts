import { ExpressionError } from "../expr/syntax_error.ts";
import { describe, type Node, type ScalarNode } from "./node.ts";
import { spanInside } from "./place.ts";
import type { Reader } from "./reader.ts";
import { scalarOf } from "./scalars.ts";

/** How one kind of expression is read and spoken of. */
export interface ExpressionForm<Parsed> {
  /** With its article, such as `an assertion`. */
  readonly noun: string;
  /** @throws {ExpressionError} with the offset of the mistake */
  readonly parse: (text: string) => Parsed;
}

/**
 * Reads a list of expressions (`assert`, `until`, `thresholds`), with the span
 * of each. Reports every mistake where it stands; what could not be read is
 * left out.
 */
export function readExpressions<Parsed>(
  node: Node,
  what: string,
  form: ExpressionForm<Parsed>,
  reader: Reader,
): { readonly parsed: Parsed; readonly node: Node }[] {
  if (node.kind !== "list") {
    reader.report(
      node.span,
      "wrong-type",
      `${what} must be a list, but it is ${describe(node)}`,
      "start each item with `- `",
    );
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
  { noun, parse }: ExpressionForm<Parsed>,
  reader: Reader,
): Parsed | undefined {
  if (node.kind === "map" && !node.unquotedTemplate) {
    reportColonTrap(node, noun, reader);
    return;
  }
  const wanted = `each item of ${what} must be ${noun}`;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  try {
    return parse(scalar.text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (reportCommentTrap(scalar, noun, reader)) return;
    reader.report(
      spanInside(scalar, reader.text, error.offset),
      error.code,
      error.message,
      error.hint,
    );
  }
}

/** The second YAML trap: an unquoted `: ` makes a mapping of an expression. */
function reportColonTrap(node: Node, noun: string, reader: Reader): void {
  const { span } = node;
  const line = reader.text.split("\n")[span.line - 1] ?? "";
  const text = line.slice(span.column - 1).replace(/\s+#.*$/, "").trim();
  const thing = noun.replace(/^an? /, "");
  reader.report(
    { ...span, length: Math.max(1, text.length) },
    "unquoted-colon",
    `YAML reads the unquoted \`: \` in this ${thing} as a mapping`,
    `quote this ${thing}: ${quoted(text)}`,
  );
}

/** The third: an unquoted ` #` starts a comment and cuts an expression short. */
function reportCommentTrap(
  { plain, span }: ScalarNode,
  noun: string,
  reader: Reader,
): boolean {
  const line = reader.text.split("\n")[span.line - 1] ?? "";
  const end = span.column - 1 + span.length;
  const comment = /^\s+(#.*?)\s*$/.exec(line.slice(end));
  if (!plain || !comment) return false;
  const thing = noun.replace(/^an? /, "");
  const whole = line.slice(span.column - 1).trimEnd();
  reader.report(
    {
      line: span.line,
      column: end + comment[0].indexOf("#") + 1,
      length: comment[1]!.length,
    },
    "unquoted-comment",
    `YAML reads the unquoted \`${
      comment[1]
    }\` as a comment, which cuts this ${thing} short`,
    `quote this ${thing}: ${quoted(whole)}`,
  );
  return true;
}

/** `text` as a YAML scalar that means exactly it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
