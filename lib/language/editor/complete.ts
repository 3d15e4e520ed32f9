import { contextAt } from "./context.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { suggestKeys } from "./complete_keys.ts";
import { suggestTemplates, templateBefore } from "./complete_template.ts";
import { suggestValues } from "./complete_values.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Suggestion } from "./suggestion.ts";

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
