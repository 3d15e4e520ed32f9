import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Range,
} from "vscode-languageserver";
import { quickFixes, versionFix } from "../../lib/language/editor/quick_fix.ts";
import type { TextChange } from "../../lib/language/editor/suggestion.ts";
import { readTree } from "../../lib/language/editor/tree.ts";
import type { FixData } from "./diagnostics.ts";
import { editIn } from "./ranges.ts";
import type { OpenFile } from "./workspace.ts";

/** What mends those of a file's diagnostics that `range` touches. */
export function codeActions(
  open: OpenFile,
  range: Range,
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  return diagnostics.filter((each) => touches(each.range, range))
    .flatMap((each) => actionsFor(open, each));
}

/** Diagnostics are on one line. */
function touches({ start, end }: Range, other: Range): boolean {
  const { line } = start;
  return other.start.line <= line && line <= other.end.line &&
    (other.start.line < line || other.start.character <= end.character) &&
    (other.end.line > line || other.end.character >= start.character);
}

function actionsFor(
  { uri, source }: OpenFile,
  diagnostic: Diagnostic,
): CodeAction[] {
  const data = diagnostic.data as FixData | undefined;
  if (!data) return [];
  const { start, end } = diagnostic.range;
  const at = source.offsetAt({ line: start.line, character: 0 });
  const text = source.getText();
  const line = /^[^\r\n]*/.exec(text.slice(at))![0];
  const flaw = { ...data, line, start: start.character, end: end.character };
  return quickFixes(flaw)
    .map((each) => ({ ...each, start: each.start + at, end: each.end + at }))
    .concat(versionFix(data.hint, text) ?? [])
    .filter((each) => staysYaml(text, each))
    .map((change, index) => ({
      title: `Change to ${change.text.trim()}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: index === 0,
      edit: { changes: { [uri]: [editIn(source, change)] } },
    }));
}

/** Quotes inside quotes would only move the error. */
function staysYaml(
  text: string,
  { start, end, text: by }: TextChange,
): boolean {
  const changed = text.slice(0, start) + by + text.slice(end);
  return readTree(changed).errors <= readTree(text).errors;
}
