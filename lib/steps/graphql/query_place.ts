import type { ASTNode } from "graphql/language/ast";
import type { IrLocation } from "../../base/text/diagnostic.ts";

/** The part of the document that `node` begins with. */
export function inQuery(
  { loc }: Pick<ASTNode, "loc">,
  length: number,
): IrLocation {
  if (!loc) return "/query";
  const { line, column } = loc.startToken;
  return { pointer: "/query", inside: { line, column, length } };
}
