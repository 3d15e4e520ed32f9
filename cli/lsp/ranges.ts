import type { Range, TextEdit } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { TextChange } from "../../lib/language/editor/suggestion.ts";

/** Offsets of a text as an editor counts. */
export function rangeIn(
  source: TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  return { start: source.positionAt(start), end: source.positionAt(end) };
}

/** A change of a text as an editor takes it. */
export function editIn(source: TextDocument, change: TextChange): TextEdit {
  return { range: rangeIn(source, change), newText: change.text };
}
