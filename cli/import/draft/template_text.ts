/*
 * Text while a flow is being made. What was imported is literal, whatever braces
 * are in it. A template of this program is between marks that are drawn anew
 * in each process, so that no file, and nothing that is decoded out of one, can
 * hold them. The braces of templates are written at the end (`literal_braces.ts`).
 */

const DRAWN = crypto.randomUUID().replaceAll("-", "");
const OPEN = `\u{fdd0}${DRAWN}.`;
const CLOSE = "\u{fdd1}";
const TEMPLATE = new RegExp(`${OPEN}([A-Za-z_][\\w.]*)${CLOSE}`);
const WHOLE = new RegExp(`^${TEMPLATE.source}$`);
const EACH = new RegExp(TEMPLATE, "g");
const BETWEEN_STRINGS = new RegExp(
  `"(?:[^"\\\\]|\\\\[^])*"?|${TEMPLATE.source}`,
  "g",
);

/** The template that names `reference`: `env.TOKEN`, `user.name`, a variable. */
export function template(reference: string): string {
  return OPEN + reference + CLOSE;
}

/** The reference of a text that is one template and nothing else. */
export function referenceOf(text: string): string | undefined {
  return WHOLE.exec(text)?.[1];
}

/** Whether the text is a variable of the environment and nothing else. */
export function isEnvironment(text: string): boolean {
  return referenceOf(text)?.startsWith("env.") ?? false;
}

/** Whether a template is anywhere in the text. */
export function hasTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}

/** Whether the text begins with a template. */
export function beginsWithTemplate(text: string): boolean {
  return text.startsWith(OPEN) && hasTemplate(text);
}

/** The rest of a text behind the template that it begins with. */
export function afterTemplate(text: string): string {
  return text.slice(text.indexOf(CLOSE) + CLOSE.length);
}

/** Literal texts, each but the last followed by what a template names. */
export function textParts(text: string): string[] {
  return text.split(EACH);
}

/** The text with its literal parts changed. */
export function changeLiterals(
  text: string,
  change: (literal: string) => string,
): string {
  return textParts(text).map((each, index) =>
    index % 2 === 0 ? change(each) : template(each)
  ).join("");
}

/** JSON with quotes around templates that stand between its values, where `is` holds. */
export function quoteTemplates(
  json: string,
  is: (reference: string) => boolean,
): string {
  return json.replaceAll(
    BETWEEN_STRINGS,
    (all, reference?: string) =>
      reference !== undefined && is(reference) ? `"${all}"` : all,
  );
}

/** The literal parts alone. */
export function literalsOf(text: string): string {
  return text.replaceAll(EACH, "");
}

/** The text as a person reads it, with the braces of its templates. */
export function shownText(text: string): string {
  return text.replaceAll(EACH, "{{ $1 }}");
}
