import {
  type Diagnostic,
  DiagnosticSeverity,
  type Range,
} from "vscode-languageserver";
import {
  type Diagnostic as Found,
  isError,
} from "../../lib/base/text/diagnostic.ts";
import { lineOf } from "../../lib/base/text/lines.ts";

/** Rules about the environment of a run, which is not the editor's. */
const OF_THE_RUN: readonly string[] = [
  "missing-env",
  "empty-env",
  "short-secret",
];

/** What a quick fix needs of a diagnostic. */
export interface FixData {
  readonly message: string;
  readonly hint: string;
}

/** A diagnostic as editors show it; the hint is below the message. */
export function editorDiagnostic(found: Found, text: string): Diagnostic {
  const { code, message, hint } = found;
  const data: FixData | undefined = hint === undefined
    ? undefined
    : { message, hint };
  return {
    range: rangeOf(found, text),
    severity: OF_THE_RUN.includes(code)
      ? DiagnosticSeverity.Hint
      : isError(found)
      ? DiagnosticSeverity.Error
      : DiagnosticSeverity.Warning,
    code,
    source: "bench",
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(data && { data }),
  };
}

/**
 * Where it is. Of a part whose beginning alone is known, the word that begins
 * there; the first line of a file that it is about as a whole.
 */
function rangeOf({ at: { range } }: Found, text: string): Range {
  const line = range ? range.line - 1 : 0;
  const written = lineOf(text, line + 1) ?? "";
  const start = range ? range.column - 1 : 0;
  const word = /^[\w.$-]*/.exec(written.slice(start))![0].length;
  const length = !range
    ? written.length
    : range.length > 1
    ? range.length
    : Math.max(1, word);
  // A byte order mark belongs to the editor's first line, and to none of ours.
  const before = line === 0 && text.startsWith("\ufeff") ? 1 : 0;
  return {
    start: { line, character: before + start },
    end: { line, character: before + start + length },
  };
}
