import { type DocumentSymbol, SymbolKind } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import {
  outline,
  type OutlineItem,
} from "../../lib/language/editor/symbols.ts";
import { rangeIn } from "./ranges.ts";
import type { OpenFile } from "./workspace.ts";

const KINDS: Readonly<Record<OutlineItem["kind"], SymbolKind>> = {
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
    kind: KINDS[kind],
    range: rangeIn(source, { start, end }),
    selectionRange: rangeIn(source, { start: nameStart, end: nameEnd }),
    children: children.map((each) => symbolOf(each, source)),
  };
}
