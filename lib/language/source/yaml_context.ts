import {
  type Document,
  isCollection,
  isScalar,
  visit,
  type YAMLParseError,
} from "yaml";
import type { Diagnostic } from "../../base/text/diagnostic.ts";

/** An error of YAML itself, in words. */
export interface Explanation extends Omit<Diagnostic, "at"> {
  /** Offset in the text; that of the library's error when absent. */
  readonly at?: number;
  readonly length?: number;
}

/** An error of YAML with what stands around it. */
export interface Context {
  readonly document: Document;
  readonly error: YAMLParseError;
  readonly source: string;
  /** The source as messages may quote it: as long, with what is hidden dotted. */
  readonly shown: string;
  /** Offset of the error. */
  readonly at: number;
  /** The whole line it is on, without its break. */
  readonly line: string;
  readonly lineStart: number;
}

/** What follows the error on its line, without a comment: as it is, and as it is shown. */
export function restOfLine(
  { line, at, lineStart, shown }: Context,
): { readonly rest: string; readonly shown: string } {
  const whole = line.slice(at - lineStart).replace(/\s+#.*$/, "").trimEnd();
  const rest = whole.trimStart();
  const end = at + whole.length;
  return { rest, shown: shown.slice(end - rest.length, end) };
}

/** `text` as a quoted YAML scalar. */
export function doubleQuoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

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
    if (source[start] !== "{" && source[start] !== "[") return;
    const closer = source[start] === "{" ? "}" : "]";
    if (start < at && (end > at || source[end - 1] !== closer)) found = start;
  });
  return found;
}
