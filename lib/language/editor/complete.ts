import { quote } from "../expressions/template.ts";
import { gist } from "../fields/form.ts";
import { offered, suggestValues } from "./complete_values.ts";
import { contextAt, type EditorContext } from "./context.ts";
import { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { offeredKeys, type PlainForm } from "./forms.ts";
import { variablesAt } from "./names.ts";
import {
  type Suggestion,
  type Surroundings,
  type TextChange,
  wordEnd,
  type Writing,
} from "./suggestion.ts";

/** A template with the cursor in it. */
interface OpenTemplate {
  /** Where its `{{` is. */
  readonly start: number;
  /** Between the braces and the cursor, without white space before it. */
  readonly typed: string;
  readonly offset: number;
  /** After its `}}`; absent while there is none. */
  readonly end?: number;
}

/** The template that is being written at `offset`. */
function templateBefore(
  text: string,
  offset: number,
): OpenTemplate | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [whole, typed] = /\{\{[ \t]*([^{}]*)$/.exec(line) ?? [];
  if (whole === undefined || typed === undefined) return;
  const start = offset - whole.length;
  const close = /^[^{}\r\n]*\}\}/.exec(text.slice(offset))?.[0];
  return close === undefined
    ? { start, typed, offset }
    : { start, typed, offset, end: offset + close.length };
}

/** Suggestions between the braces of a template. */
function suggestTemplates(
  document: EditorDocument,
  template: OpenTemplate,
  { forms, names }: FileLanguage,
  surroundings: Surroundings,
): Suggestion[] {
  const { start, offset, typed, end = offset } = template;
  const { text } = document;
  // The braces are read as something else while there are no quotes.
  const without = text.slice(0, start) + text.slice(end);
  const context = contextAt(new EditorDocument(without, document), start);
  if (!context || !forms.at(context.path, context.nodeAt).some(isTemplated)) {
    return [];
  }
  const used = names.of(document);
  const variables = variablesAt(context.path, used);
  const env = used.filter(({ kind, start }) =>
    kind === "env" && !(start > template.start && start < end)
  );
  const columns = [...document.fixtures].flatMap(([root, path]) =>
    surroundings.columns(path).map((name) => ({ root, path: [name] }))
  );
  const set = new Set(env.map(({ name }) => name));
  const references = [
    ...variables.keys().map((root) => ({ root, path: [] })),
    ...columns,
    ...set.keys().map((name) => ({ root: "env", path: [name] })),
  ];
  const offered = references.map((each) => quote(each).slice(3, -3));
  if (typed === "" || "env".startsWith(typed)) offered.push("env.");
  return offered.map((name) => {
    const source = variables.get(name)?.source;
    return {
      label: name,
      kind: "variable",
      ...(source !== undefined && { detail: source }),
      ...changes(name, text, template, context),
    };
  });
}

/** Whether templates may be in values of this form. */
function isTemplated(form: PlainForm): boolean {
  if (form["enum"] !== undefined || form["const"] !== undefined) return false;
  const type = form["type"];
  if (type !== undefined && ![type].flat().includes("string")) return false;
  const pattern = form["pattern"];
  return typeof pattern !== "string" ||
    SAMPLES.some((each) => new RegExp(pattern).test(each));
}

const SAMPLES = ["{{ env.X }}", "GET /{{ env.X }}", "status == {{ env.X }}"];

function changes(
  name: string,
  text: string,
  { start, typed, offset, end }: OpenTemplate,
  { typed: before, quote, block }: EditorContext,
): Pick<Suggestion, "change" | "more"> {
  const unfinished = name.endsWith(".");
  const from = offset - typed.length;
  // White space on both sides, as the rest of a flow has it.
  const lead = text.slice(start + 2, from) === "" ? " " : "";
  const rest = end === undefined ? "" : text.slice(offset, end - 2);
  const word = rest.trimEnd();
  const tail = unfinished
    ? ""
    : end === undefined
    ? " }}"
    : rest === word
    ? " "
    : "";
  const needsQuotes = quote === "" && !block && before.trim() === "" &&
    !unfinished;
  const closing = needsQuotes && end === undefined ? '"' : "";
  const change: TextChange = {
    start: from,
    end: offset + word.length,
    text: lead + name + tail + closing,
  };
  if (!needsQuotes) return { change };
  const more = [{ start, end: start, text: '"' }];
  if (end !== undefined) more.push({ start: end, end, text: '"' });
  return { change, more };
}

/** Suggestions at `offset`, the likeliest first. */
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
  const offer = await offered(writing, surroundings);
  const values = context.position === "value" || context.alone
    ? suggestValues(writing, forms, surroundings, offer)
    : [];
  const known = offer.keys ? [{ properties: offer.keys }] : forms;
  return [...suggestKeys(writing, known), ...values];
}

/** The keys that may be added where the cursor is. */
function suggestKeys(
  { document, offset, language, context }: Writing,
  forms: readonly PlainForm[],
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
function itemForm({ items }: PlainForm): PlainForm[] {
  const item = items as PlainForm | undefined;
  return item?.["properties"] === undefined ? [] : [item];
}

/** A mapping or a list goes on below its key. */
function afterKey(form: PlainForm, { inline }: EditorContext): string {
  const below = form["type"] === "object" || form["type"] === "array" ||
    "$ref" in form;
  return below && !inline ? ":" : ": ";
}
