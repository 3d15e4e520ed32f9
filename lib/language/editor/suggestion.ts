import type { BlockFiles } from "../flow/registry.ts";
import type { EditorContext } from "./context.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";

/** The kind of a suggestion, for the sign that editors show beside it. */
export type SuggestionKind =
  | "key"
  | "word"
  | "operator"
  | "variable"
  | "file"
  | "folder";

/** A change of a text; offsets count from its start. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One thing that may be written where the cursor is. */
export interface Suggestion {
  readonly label: string;
  readonly kind: SuggestionKind;
  /** One line. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** Takes the place of what is written so far. */
  readonly change: TextChange;
  /** More edits, apart from it: quotes around a template. */
  readonly more?: readonly TextChange[];
}

/** The workspace that an editor sees besides the text, as it is right now. */
export interface Surroundings extends BlockFiles {
  /** Columns of a fixture by its path in the flow; empty when it cannot be read. */
  columns(path: string): readonly string[];
  /** Names in a folder, relative to the flow file's; those of folders end in `/`. */
  list(folder: string): readonly string[];
  /** Whether an environment variable is set; its value is not asked for. */
  isSet(variable: string): boolean;
}

/** A text with the cursor in it. */
export interface Writing {
  readonly document: EditorDocument;
  readonly offset: number;
  readonly language: FileLanguage;
  readonly context: EditorContext;
}

/**
 * A word in place of what is written from `start` on.
 *
 * @param meaning what the documentation says of it
 */
export function suggestWord(
  { document, offset }: Writing,
  label: string,
  kind: SuggestionKind,
  start: number,
  meaning?: string,
): Suggestion {
  return {
    label,
    kind,
    ...(meaning !== undefined && { documentation: meaning }),
    change: { start, end: wordEnd(document.text, offset), text: label },
  };
}

/** The end of the word that goes on after `offset`. */
export function wordEnd(text: string, offset: number): number {
  return offset + /^[\w-]*/.exec(text.slice(offset, offset + 200))![0].length;
}
