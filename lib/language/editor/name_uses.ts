/** What a name stands for. */
type NameKind = "variable" | "env" | "column" | "session" | "step";

/** A name in a text; its offsets count from the text's start. */
export interface WrittenName {
  readonly kind: NameKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const NAME = "[A-Za-z_][A-Za-z0-9_-]*";
const SEGMENT = `\\.[^\\s.{}[\\]]+|\\[(?:'[^'{}]+'|"[^"{}]+")\\]`;
const TEMPLATE = new RegExp(
  `\\{\\{\\s*(${NAME})((?:${SEGMENT})*)\\s*\\}\\}`,
  "dg",
);

/** The names in the templates of a text. */
export function templateNames(text: string): WrittenName[] {
  return [...text.matchAll(TEMPLATE)].flatMap((found) => {
    const [, root = "", path = ""] = found;
    const [, rootAt, pathAt] = found.indices!;
    if (root !== "env" && root !== "user") {
      return [named("variable", root, rootAt![0])];
    }
    if (path === "") return [];
    const quoted = /^\[(['"])(.*)\1\]$/.exec(path)?.[2];
    const name = quoted ?? path.slice(1);
    const start = pathAt![0] + (quoted === undefined ? 1 : 2);
    return [named(root === "env" ? "env" : "column", name, start)];
  });
}

/** The variable that an assertion is about, where it is about one. */
export function subjectNames(text: string): WrittenName[] {
  const [, before = "", name] =
    /^(["']?\s*)([A-Za-z_][A-Za-z0-9_-]*)(?=[\s.=!<>]|$)/.exec(text) ?? [];
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
