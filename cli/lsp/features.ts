import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Diagnostic,
  type DocumentSymbol,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  type Range,
  ResponseError,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "../../lib/language/editor/complete.ts";
import {
  columnIn,
  definitionOfUse,
  nameAt,
  rename,
  usesOf,
  whyFixed,
} from "../../lib/language/editor/find_name.ts";
import type { NameUse } from "../../lib/language/editor/names.ts";
import { quickFixes, versionFix } from "../../lib/language/editor/quick_fix.ts";
import type {
  Suggestion,
  SuggestionKind,
  Surroundings,
  TextChange,
} from "../../lib/language/editor/suggestion.ts";
import {
  outline,
  type OutlineItem,
} from "../../lib/language/editor/symbols.ts";
import { readTree } from "../../lib/language/editor/tree.ts";
import type { FixData } from "./publisher.ts";
import { MARKS, type OpenFile, type Workspace } from "./workspace.ts";

/** Offsets of a text as an editor counts. */
export function rangeIn(
  source: TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  return { start: source.positionAt(start), end: source.positionAt(end) };
}

/** A change of a text as an editor takes it. */
function editIn(source: TextDocument, change: TextChange): TextEdit {
  return { range: rangeIn(source, change), newText: change.text };
}

const SUGGESTION_KINDS: Readonly<Record<SuggestionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  word: CompletionItemKind.EnumMember,
  operator: CompletionItemKind.Operator,
  variable: CompletionItemKind.Variable,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
};

/** Completions at `offset`, the likeliest first. */
export async function completionAt(
  { document, language, source }: OpenFile,
  offset: number,
  surroundings: Surroundings,
): Promise<CompletionList> {
  const found = await complete(document, offset, language, surroundings);
  // What fits depends on more than the letters that follow.
  const items = found.map((each, index) => itemOf(each, index, source));
  return { isIncomplete: true, items };
}

/** The keys by which a file that is not yet any of ours becomes one. */
export async function completionOfBegun(
  files: readonly OpenFile[],
  offset: number,
  surroundings: Surroundings,
): Promise<CompletionList | null> {
  const lists = await Promise.all(files.map(async (each) => {
    const { items } = await completionAt(each, offset, surroundings);
    return items.filter(({ label }) => label === MARKS[each.language.kind]);
  }));
  const items = lists.flat();
  return items.length === 0 ? null : { isIncomplete: true, items };
}

function itemOf(
  { label, kind, detail, documentation, change, more }: Suggestion,
  index: number,
  source: TextDocument,
): CompletionItem {
  const value = documentation;
  return {
    label,
    kind: SUGGESTION_KINDS[kind],
    sortText: String(index).padStart(4, "0"),
    ...(detail && { detail }),
    ...(value !== undefined &&
      { documentation: { kind: MarkupKind.Markdown, value } }),
    textEdit: editIn(source, change),
    ...(more &&
      { additionalTextEdits: more.map((each) => editIn(source, each)) }),
  };
}

const SYMBOL_KINDS: Readonly<Record<OutlineItem["kind"], SymbolKind>> = {
  key: SymbolKind.Property,
  step: SymbolKind.Function,
  variable: SymbolKind.Variable,
};

/** The outline of a file. */
export function documentSymbols(
  { document, language, source }: OpenFile,
): DocumentSymbol[] {
  return outline(document, language).map((each) => symbolOf(each, source));
}

function symbolOf(
  { name, detail, kind, start, end, nameStart, nameEnd, children }: OutlineItem,
  source: TextDocument,
): DocumentSymbol {
  return {
    // An empty name is not allowed.
    name: name.trim() === "" ? "-" : name,
    detail,
    kind: SYMBOL_KINDS[kind],
    range: rangeIn(source, { start, end }),
    selectionRange: rangeIn(source, { start: nameStart, end: nameEnd }),
    children: children.map((each) => symbolOf(each, source)),
  };
}

/** Quick fixes of those of a file's diagnostics that `range` touches. */
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

/** A name, and every name of its file. */
interface Found {
  readonly use: NameUse;
  readonly names: readonly NameUse[];
}

function find(
  { document, language }: OpenFile,
  offset: number,
): Found | undefined {
  const names = language.names.of(document);
  const use = nameAt(names, offset);
  return use && { use, names };
}

/** Where the name at `offset` gets its value. */
export function definition(
  open: OpenFile,
  offset: number,
  workspace: Workspace,
): Location[] {
  const flow = open.document.flowAt(offset);
  if (open.language.kind === "mix" && flow !== undefined) {
    return fileLocation(open, flow, workspace);
  }
  const found = find(open, offset);
  if (!found) return [];
  if (found.use.kind === "column") {
    return columnLocation(open, found.use, workspace);
  }
  return definitionOfUse(found.names, found.use)
    .map((each) => locationOf(open, each));
}

/** The beginning of a file that the open one names; nothing when it is not there. */
function fileLocation(
  { uri }: OpenFile,
  path: string,
  workspace: Workspace,
): Location[] {
  const file = workspace.uriOf(workspace.pathBeside(uri, path));
  const start = { line: 0, character: 0 };
  return workspace.textAt(file) === undefined
    ? []
    : [{ uri: file, range: { start, end: start } }];
}

/** A column is defined in the header of its fixture. */
function columnLocation(
  { document, uri }: OpenFile,
  { name, pool = "" }: NameUse,
  workspace: Workspace,
): Location[] {
  const data = document.fixtures.get(pool);
  if (data === undefined) return [];
  const fixture = workspace.uriOf(workspace.pathBeside(uri, data));
  const text = workspace.textAt(fixture);
  const range = text === undefined ? undefined : columnIn(text, data, name);
  return range ? [{ uri: fixture, range }] : [];
}

/** Every location that has the name at `offset`. */
export function references(
  open: OpenFile,
  offset: number,
  withDefinition: boolean,
): Location[] {
  const found = find(open, offset);
  return !found ? [] : usesOf(found.names, found.use)
    .filter(({ defines }) => withDefinition || !defines)
    .map((each) => locationOf(open, each));
}

/** The range of the variable that would be renamed. @throws {ResponseError} */
export function renameRange(
  open: OpenFile,
  offset: number,
): Range | undefined {
  const found = find(open, offset);
  if (!found) return;
  const why = whyFixed(found.use);
  if (why !== undefined) throw refused(why);
  return rangeIn(open.source, found.use);
}

/** The edits that rename a variable. @throws {ResponseError} that says why not */
export function renameEdits(
  open: OpenFile,
  offset: number,
  to: string,
): WorkspaceEdit {
  const found = find(open, offset);
  if (!found) throw refused("there is no variable here");
  const result = rename(found.names, found.use, to);
  if ("refused" in result) throw refused(result.refused);
  const edits = result.changes.map((each) => editIn(open.source, each));
  return { changes: { [open.uri]: edits } };
}

function refused(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, why);
}

function locationOf({ uri, source }: OpenFile, use: NameUse): Location {
  return { uri, range: rangeIn(source, use) };
}
