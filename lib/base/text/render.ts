import { escapeControls, jsonWithoutCommands } from "./display.ts";
import { styleText } from "node:util";
import { type Diagnostic, isError, type Severity } from "./diagnostic.ts";
import { frameOf } from "./frame.ts";

/**
 * Diagnostics as a person reads them, in file order:
 *
 *     flow.yaml:14:7: error: unknown key `assrt` in step `login`
 *        |
 *     14 |       assrt:
 *        |       ^^^^^
 *        = did you mean `assert`?
 *
 * @param sources source text by file name; a file without one gets no frame
 * @returns text that ends in a line break; empty without diagnostics
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  { color }: { readonly color: boolean },
): string {
  const paint = color ? styled : (_: Style, text: string) => text;
  return sortDiagnostics(diagnostics)
    .map((each) => renderOne(each, sources.get(each.at.file), paint))
    .join("\n");
}

/** A diagnostic as other programs read it; what is not known is null. */
export interface DiagnosticData {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: Severity;
  readonly pointer?: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** Diagnostics for machines, in file order. */
export function diagnosticData(
  diagnostics: readonly Diagnostic[],
): DiagnosticData[] {
  return sortDiagnostics(diagnostics).map((each) => ({
    file: each.at.file,
    line: each.at.range?.line ?? null,
    column: each.at.range?.column ?? null,
    severity: severityOf(each),
    ...(each.at.pointer !== undefined && { pointer: each.at.pointer }),
    code: each.code,
    message: each.message,
    hint: each.hint ?? null,
  }));
}

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const json = JSON.stringify(diagnosticData(diagnostics), null, 2);
  return `${jsonWithoutCommands(json)}\n`;
}

/**
 * Diagnostics as workflow commands, one a line, which GitHub shows beside the
 * file: `::error file=...,line=...,col=...::message`, or `::warning`.
 */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string {
  return sortDiagnostics(diagnostics).map(annotation).join("");
}

function annotation(diagnostic: Diagnostic): string {
  const { at: { file, range }, message, hint } = diagnostic;
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(range ? [`line=${range.line}`, `col=${range.column}`] : []),
  ].join(",");
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return `::${severityOf(diagnostic)} ${properties}::${escapeData(text)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function severityOf(diagnostic: Diagnostic): Severity {
  return isError(diagnostic) ? "error" : "warning";
}

type Style = Severity | "location" | "gutter" | "caret";
type Paint = (style: Style, text: string) => string;

const STYLES = {
  error: ["bold", "red"],
  warning: ["bold", "yellow"],
  location: ["bold"],
  gutter: ["blue"],
  caret: ["red"],
} as const;

function styled(style: Style, text: string): string {
  return styleText([...STYLES[style]], text, { validateStream: false });
}

function renderOne(
  diagnostic: Diagnostic,
  source: string | undefined,
  paint: Paint,
): string {
  const { at: { range }, message, hint } = diagnostic;
  const severity = severityOf(diagnostic);
  const lines = [
    `${paint("location", `${locationText(diagnostic)}:`)} ${
      paint(severity, `${severity}:`)
    } ${escapeControls(message)}`,
  ];
  const frame = range && source !== undefined
    ? frameOf(source, range)
    : undefined;
  const number = String(range?.line ?? "");
  const margin = " ".repeat(frame ? number.length : 2);
  if (frame) {
    lines.push(
      paint("gutter", `${margin} |`),
      `${paint("gutter", `${number} |`)} ${frame.line}`.trimEnd(),
      `${paint("gutter", `${margin} |`)} ${
        frame.carets.replace(/\^+$/, (carets) => paint("caret", carets))
      }`,
    );
  }
  if (hint !== undefined) {
    lines.push(`${paint("gutter", `${margin} =`)} ${escapeControls(hint)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** `file:line:col`; an IR without source text is named by its JSON Pointer. */
function locationText({ at: { file, range, pointer } }: Diagnostic): string {
  const name = escapeControls(file);
  if (range) return `${name}:${range.line}:${range.column}`;
  return pointer ? `${name}#${escapeControls(pointer)}` : name;
}

/**
 * Diagnostics in file order (line, then column). Files keep the order in which
 * they first appear; a diagnostic without a line comes last in its file.
 */
function sortDiagnostics(
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
