import { REFERENCE_PATTERN, wholeReference } from "../expressions/template.ts";

/** What a name stands for. */
type NameKind = "variable" | "env" | "column" | "session" | "step";

/** A name in a text; its offsets count from the text's start. */
export interface WrittenName {
  readonly kind: NameKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const TEMPLATE = new RegExp(`\\{\\{\\s*${REFERENCE_PATTERN}\\s*\\}\\}`, "g");

/** The names in the templates of a text. */
export function templateNames(text: string): WrittenName[] {
  return [...text.matchAll(TEMPLATE)].flatMap(({ 0: template, index }) => {
    const { root, path } = wholeReference(template)!;
    const start = index + template.indexOf(root);
    if (root !== "env" && root !== "user") {
      return [named("variable", root, start)];
    }
    if (path.length === 0) return [];
    const kind = root === "env" ? "env" : "column";
    const after = start + root.length;
    // `.name`, or `['name']`.
    const from = after + (/^\[['"]/.test(text.slice(after)) ? 2 : 1);
    return [named(kind, path.join("."), from)];
  });
}

/** The variable that an assertion is about, where it is about one. */
export function subjectNames(text: string): WrittenName[] {
  const [, before = "", name] =
    /^(["']?\s*)([A-Za-z_][A-Za-z0-9_-]*)(?=[\s.[=!<>]|$)/.exec(text) ?? [];
  return name === undefined || isSubject(name)
    ? []
    : [named("variable", name, before.length)];
}

/** Words that an assertion can begin with and that are no variables. */
export function isSubject(word: string): boolean {
  return word === "status" || word === "latency" || /^header$/i.test(word);
}

function named(kind: NameKind, name: string, start: number): WrittenName {
  return { kind, name, start, end: start + name.length };
}
