import { registry } from "../../lib/steps/registry.ts";
import { EditorDocument } from "../../lib/language/editor/document.ts";
import { complete } from "../../lib/language/editor/complete.ts";
import {
  type FileLanguage,
  flowLanguage,
} from "../../lib/language/editor/file_language.ts";
import type {
  Suggestion,
  Surroundings,
  TextChange,
} from "../../lib/language/editor/suggestion.ts";

/** Where the cursor is in the texts of editor tests. */
const CURSOR = "¦";

/** A text without its cursor, and where that was. */
export function cursorIn(text: string): { text: string; offset: number } {
  const offset = text.indexOf(CURSOR);
  if (offset < 0) throw new Error(`no ${CURSOR} in ${text}`);
  return { text: text.slice(0, offset) + text.slice(offset + 1), offset };
}

export const FLOW: FileLanguage = flowLanguage(registry);

/** A machine with nothing on it but what a test says. */
export function surroundings(over: Partial<Surroundings> = {}): Surroundings {
  return {
    directory: ".",
    readBytes() {
      throw new Deno.errors.NotFound();
    },
    columns: () => [],
    list: () => [],
    isSet: () => false,
    ...over,
  };
}

/** What is suggested at the cursor. */
export async function suggestions(
  marked: string,
  over: Partial<Surroundings> = {},
  language = FLOW,
): Promise<Suggestion[]> {
  const { text, offset } = cursorIn(marked);
  return await complete(
    new EditorDocument(text),
    offset,
    language,
    surroundings(over),
  );
}

/** The labels of what is suggested at the cursor. */
export async function labels(
  marked: string,
  over: Partial<Surroundings> = {},
  language = FLOW,
): Promise<string[]> {
  return (await suggestions(marked, over, language)).map(({ label }) => label);
}

/** The text after one of the suggestions is taken. */
export async function accept(
  marked: string,
  label: string,
  over: Partial<Surroundings> = {},
): Promise<string> {
  const all = await suggestions(marked, over);
  const found = all.find((each) => each.label === label);
  if (!found) {
    throw new Error(`no ${label} in ${all.map(({ label }) => label)}`);
  }
  return changed(cursorIn(marked).text, [found.change, ...found.more ?? []]);
}

/** A text with changes that do not overlap. */
export function changed(text: string, changes: readonly TextChange[]): string {
  return changes.toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce(
      (text, { start, end, text: by }) =>
        text.slice(0, start) + by + text.slice(end),
      text,
    );
}
