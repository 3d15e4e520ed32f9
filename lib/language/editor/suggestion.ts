/** What a suggestion is, for the sign that editors show beside it. */
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
  /** What else changes, apart from it: quotes around a template. */
  readonly more?: readonly TextChange[];
}

/** The end of the word that goes on after `offset`. */
export function wordEnd(text: string, offset: number): number {
  return offset + /^[\w-]*/.exec(text.slice(offset, offset + 200))![0].length;
}
