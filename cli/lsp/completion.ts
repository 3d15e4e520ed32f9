import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  MarkupKind,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "../../lib/language/editor/complete.ts";
import type {
  Suggestion,
  SuggestionKind,
} from "../../lib/language/editor/suggestion.ts";
import type { Surroundings } from "../../lib/language/editor/suggestion.ts";
import { editIn } from "./ranges.ts";
import type { OpenFile } from "./workspace.ts";

const KINDS: Readonly<Record<SuggestionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  word: CompletionItemKind.EnumMember,
  operator: CompletionItemKind.Operator,
  variable: CompletionItemKind.Variable,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
};

/** What may be written at `offset`, in the order it was thought of. */
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

function itemOf(
  { label, kind, detail, documentation, change, more }: Suggestion,
  index: number,
  source: TextDocument,
): CompletionItem {
  const value = documentation;
  return {
    label,
    kind: KINDS[kind],
    sortText: String(index).padStart(4, "0"),
    ...(detail && { detail }),
    ...(value !== undefined &&
      { documentation: { kind: MarkupKind.Markdown, value } }),
    textEdit: editIn(source, change),
    ...(more &&
      { additionalTextEdits: more.map((each) => editIn(source, each)) }),
  };
}
