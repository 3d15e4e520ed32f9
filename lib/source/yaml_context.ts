import { type Document, isCollection, isScalar, visit } from "yaml";

/** Ranges of the quoted scalars that start before `at`, in file order. */
export function quotedScalarsBefore(
  document: Document,
  at: number,
): (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = [];
  visit(document, (_, node) => {
    if (!isScalar(node) || !node.range) return;
    if (node.type !== "QUOTE_DOUBLE" && node.type !== "QUOTE_SINGLE") return;
    if (node.range[0] < at) found.push([node.range[0], node.range[1]]);
  });
  return found.sort(([a], [b]) => a - b);
}

/** Where the innermost `{` or `[` before `at` stands that is never closed. */
export function collectionBefore(
  document: Document,
  source: string,
  at: number,
): number | undefined {
  let found: number | undefined;
  visit(document, (_, node) => {
    if (!isCollection(node) || !node.flow || !node.range) return;
    const [start, end] = node.range;
    const closer = source[start] === "{" ? "}" : "]";
    if (start < at && (end > at || source[end - 1] !== closer)) found = start;
  });
  return found;
}
