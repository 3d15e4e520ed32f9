import { gist } from "../fields/form.ts";
import { contextAt, type EditorContext } from "./context.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { suggestTemplates, templateBefore } from "./complete_template.ts";
import { suggestValues } from "./complete_values.ts";
import { type Form, offeredKeys } from "./forms.ts";
import {
  type Suggestion,
  type Surroundings,
  wordEnd,
  type Writing,
} from "./suggestion.ts";

/** What may be written at `offset`, the likeliest first. */
export async function complete(
  document: EditorDocument,
  offset: number,
  language: FileLanguage,
  surroundings: Surroundings,
): Promise<Suggestion[]> {
  const template = templateBefore(document.text, offset);
  if (template && language.kind === "flow") {
    return suggestTemplates(document, template, language, surroundings);
  }
  const context = contextAt(document, offset);
  if (!context || context.block) return [];
  const writing = { document, offset, language, context };
  const forms = language.forms.at(context.path, context.nodeAt);
  const values = context.position === "value" || context.alone
    ? await suggestValues(writing, forms, surroundings)
    : [];
  return [...suggestKeys(writing, forms), ...values];
}

/** The keys that may be added where the cursor is. */
function suggestKeys(
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
    document.version,
  )
    .filter(({ required }) => required || !list)
    .sort((a, b) => Number(b.required) - Number(a.required));
  return keys.map(({ key, required, form }) => ({
    label: list ? `- ${key}` : key,
    kind: "key",
    detail: gist(String(form["description"] ?? "")) +
      (required ? " (required)" : ""),
    documentation: language.reference.ofKey(key, form),
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
