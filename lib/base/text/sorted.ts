import type { Diagnostic } from "./diagnostic.ts";

/**
 * Diagnostics in file order (line, then column). Files keep the order in which
 * they first appear; a diagnostic without a line comes last in its file.
 */
export function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ at }) => at.file))];
  return diagnostics.toSorted(({ at: a }, { at: b }) =>
    files.indexOf(a.file) - files.indexOf(b.file) ||
    compare(a.range?.line, b.range?.line) ||
    compare(a.range?.column, b.range?.column)
  );
}

function compare(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
