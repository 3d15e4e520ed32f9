import type { Diagnostic } from "./diagnostic.ts";

/**
 * Diagnostics in file order (line, then column), each mistake once: a value
 * that several steps share is checked for each of them. Files keep the order
 * in which they first appear; a mistake without a place comes last in its file.
 */
export function sortDiagnostics(
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ file }) => file))];
  const once = new Map<string, Diagnostic>();
  for (const each of diagnostics) {
    const { file, span, pointer, code, message } = each;
    const place = span ? [span.line, span.column] : [pointer];
    const key = JSON.stringify([file, code, message, ...place]);
    if (!once.has(key)) once.set(key, each);
  }
  return [...once.values()].sort((a, b) =>
    files.indexOf(a.file) - files.indexOf(b.file) ||
    compare(a.span?.line, b.span?.line) ||
    compare(a.span?.column, b.span?.column)
  );
}

function compare(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
