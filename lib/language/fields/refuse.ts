import { describe, type Node, type ScalarNode } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";

/**
 * Reports what a value must be and what it is.
 *
 * @param expected such as "`vus` must be a whole number"
 */
export function refuse(
  node: Node,
  code: string,
  expected: string,
  reader: Reader,
  { is = describe(node), hint }: {
    readonly is?: string;
    readonly hint?: string | undefined;
  } = {},
): undefined {
  reader.report({
    at: node.at,
    code,
    message: `${expected}, but it is ${is}`,
    hint,
  });
}

/** The same for a value of another type; an unquoted template is explained. */
export function wrongType(
  node: Node,
  expected: string,
  reader: Reader,
  hint?: string,
): undefined {
  if (node.kind === "map" && node.unquotedTemplate) {
    reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
  } else refuse(node, "wrong-type", expected, reader, { hint });
}

/** A scalar; refuses lists and mappings. */
export function scalarOf(
  node: Node,
  expected: string,
  reader: Reader,
): ScalarNode | undefined {
  return node.kind === "scalar" ? node : wrongType(node, expected, reader);
}

/** The first YAML trap: `{{ x }}` without quotes is a mapping to YAML. */
export function reportUnquotedTemplate(
  at: Node["at"],
  template: string,
  reader: Reader,
): void {
  reader.report({
    at,
    code: "unquoted-template",
    message: `YAML reads an unquoted ${template} as a mapping`,
    hint: `quote this template: "${template}"`,
  });
}
