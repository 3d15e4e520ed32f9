import { parseAssertion } from "../expr/assertion.ts";
import { ExpressionError } from "../expr/syntax_error.ts";
import type { Assertion } from "../ir/flow.ts";
import type { Span } from "../text/span.ts";
import { child } from "../values/pointer.ts";
import { describe, type Node } from "./node.ts";
import type { Reader } from "./reader.ts";
import { scalarOf } from "./scalars.ts";

/**
 * Reads a list of assertions (`assert`, `until`), placing each at
 * `pointer/<index>`. Reports every mistake in every assertion.
 */
export function readAssertions(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): Assertion[] {
  reader.place(pointer, node.span);
  if (node.kind !== "list") {
    reader.report(
      node.span,
      "wrong-type",
      `${what} must be a list of assertions, but it is ${describe(node)}`,
      "start each assertion with `- `",
    );
    return [];
  }
  return node.items.flatMap((item) =>
    readAssertion(item, what, reader) ?? []
  ).map((assertion, index) => {
    reader.place(child(pointer, index), node.items[index]!.span);
    return assertion;
  });
}

function readAssertion(
  node: Node,
  what: string,
  reader: Reader,
): Assertion | undefined {
  const trapped = colonTrap(node);
  if (trapped !== undefined) {
    reader.report(
      node.span,
      "unquoted-assertion",
      "YAML reads an unquoted `: ` as a mapping, so this assertion is cut in two",
      `quote this assertion: '${trapped}'`,
    );
    return;
  }
  const scalar = scalarOf(node, `each item of ${what} must be an assertion`, reader);
  if (!scalar) return;
  try {
    return parseAssertion(scalar.text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    reader.report(
      inside(node.span, error.offset, scalar.plain),
      error.code,
      error.message,
      error.hint,
    );
  }
}

/** The second YAML trap: the assertion's text, when `: ` split it. */
function colonTrap(node: Node): string | undefined {
  if (node.kind !== "map" || node.unquotedTemplate) return;
  const [entry] = node.entries;
  if (!entry || node.entries.length > 1) return;
  const rest = entry.value.kind === "scalar" ? entry.value.text : "...";
  return `${entry.key}: ${rest}`;
}

/** The place `offset` into a scalar that is written on one line. */
function inside(span: Span, offset: number, plain: boolean): Span {
  const shift = Math.min(offset + (plain ? 0 : 1), span.length - 1);
  return {
    line: span.line,
    column: span.column + shift,
    length: Math.max(1, span.length - shift - (plain ? 0 : 1)),
  };
}
