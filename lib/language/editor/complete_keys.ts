import { gist } from "../fields/form.ts";
import type { EditorContext } from "./context.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { type Form, offeredKeys } from "./forms.ts";
import { keyText } from "./hover_text.ts";
import { type Suggestion, wordEnd } from "./suggestion.ts";

/** A text with the cursor in it. */
export interface Writing {
  readonly document: EditorDocument;
  readonly offset: number;
  readonly language: FileLanguage;
  readonly context: EditorContext;
}

/** The keys that may be added where the cursor is. */
export function suggestKeys(
  { document, offset, language, context }: Writing,
  forms: readonly Form[],
): Suggestion[] {
  const { position, alone, siblings, start, quote } = context;
  if (quote !== "" || (position === "value" && !alone)) return [];
  const { text } = document;
  const end = wordEnd(text, offset);
  const goesOn = /^[ \t]*:/.test(text.slice(end));
  const inItems = forms.flatMap(itemForm);
  const list = inItems.length > 0;
  const keys = offeredKeys(
    list ? inItems : forms,
    position === "key" ? siblings : undefined,
  )
    .filter(({ required }) => required || !list)
    .sort((a, b) => Number(b.required) - Number(a.required));
  return keys.map(({ key, required, form }) => ({
    label: list ? `- ${key}` : key,
    kind: "key",
    detail: gist(String(form["description"] ?? "")) +
      (required ? " (required)" : ""),
    documentation: keyText(key, form, language.reference),
    change: {
      start,
      end,
      text: (list ? "- " : "") + key + (goesOn ? "" : afterKey(form, context)),
    },
  }));
}

/** A list of mappings is begun by a `-` and the first key. */
function itemForm({ items }: Form): Form[] {
  const item = items as Form | undefined;
  return item?.["properties"] === undefined ? [] : [item];
}

/** A mapping or a list goes on below its key. */
function afterKey(form: Form, { inline }: EditorContext): string {
  const below = form["type"] === "object" || form["type"] === "array" ||
    "$ref" in form;
  return below && !inline ? ":" : ": ";
}
