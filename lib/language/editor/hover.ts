import { OPERATOR_WORDS } from "../expressions/assertion.ts";
import { SUBJECTS } from "../expressions/assertion_ir.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { definitionOf, keyForm, type PlainForm } from "./forms.ts";
import { definitionOfUse, nameAt, usesOf } from "./find_name.ts";
import type { NameUse } from "./names.ts";
import type { Surroundings } from "./suggestion.ts";
import { findIn, type TreePath } from "./tree.ts";

/** The documentation of a part of a text. */
interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The documentation of the key or value at `offset`. */
export function hover(
  document: EditorDocument,
  offset: number,
  language: FileLanguage,
  surroundings: Surroundings,
): Hover | undefined {
  const names = language.kind === "flow" ? language.names.of(document) : [];
  const use = nameAt(names, offset);
  if (use) {
    const text = nameText(use, names, document, surroundings);
    return { text, start: use.start, end: use.end };
  }
  const part = document.partAt(offset);
  const at = offset - part.start;
  const found = part.node && findIn(
    part.node,
    (_, { start, end }) => start <= at && at <= end && start < end,
    part.path,
  );
  if (!found) return;
  const start = found.start + part.start;
  const end = found.end + part.start;
  const { path, key } = found;
  const forms = language.forms.at(path, (at) => document.nodeIn(part, at));
  if (key === undefined) {
    const [word, from] = tokenAt(document.text, offset, start, end);
    return hoverWord(word, from, path, forms, language);
  }
  const form = forms.map((each) => keyForm(each, key)).find((each) => each);
  return form && { text: language.reference.ofKey(key, form), start, end };
}

function nameText(
  use: NameUse,
  names: readonly NameUse[],
  document: EditorDocument,
  surroundings: Surroundings,
): string {
  const { kind, name } = use;
  if (kind === "env") {
    const set = surroundings.isSet(name) ? "is set" : "is not set";
    return `**${name}**: environment variable, which ${set} where the language server runs`;
  }
  const fixture = document.fixtures.get(use.pool ?? "");
  if (kind === "column") {
    return `**${name}**: column of ${fixture ?? "the fixture"}`;
  }
  if (fixture !== undefined) {
    return `**${name}**: pool of the rows of ${fixture}`;
  }
  if (kind === "step") {
    const uses = usesOf(names, use)
      .filter(({ kind, defines }) => kind !== "step" && !defines);
    return `**${name}**: step; uses of what it extracts or opens: ${uses.length}`;
  }
  const [made] = definitionOfUse(names, use);
  const step = made?.step === undefined
    ? undefined
    : document.textAt([made.list!, made.step, "id"]);
  const by = step === undefined ? "no step" : `step \`${step}\``;
  if (kind === "session") return `**${name}**: session, opened by ${by}`;
  if (made && made.step === undefined) {
    const how = document.textAt(["values", name]);
    return `**${name}**: value${
      how ? ` \`${how}\`` : ""
    }, drawn anew for each iteration`;
  }
  const source = made?.source ? ` from \`${made.source}\`` : "";
  return `**${name}**: variable, extracted by ${by}${source}`;
}

/** A word of a closed set, or a part of an expression. */
function hoverWord(
  word: string,
  start: number,
  path: TreePath,
  forms: readonly PlainForm[],
  { reference }: FileLanguage,
): Hover | undefined {
  const kinds = forms.map(definitionOf);
  const closed = forms.some((form) =>
    form["const"] === word || [form["enum"]].flat().includes(word)
  );
  const asserts = kinds.includes("assertion");
  const spelled = asserts
    ? assertionWord(word)
    : closed || kinds.includes("threshold")
    ? word
    : undefined;
  const around = asserts ? [...path, "assert"] : path;
  const meaning = spelled && reference.meaning(spelled, around);
  if (meaning === undefined) return;
  const end = start + word.length;
  return { text: `**${spelled}**: ${meaning}`, start, end };
}

/** How the documentation writes a subject or an operator. */
function assertionWord(word: string): string | undefined {
  if (/^header\./i.test(word)) return SUBJECTS.header.written;
  if (word.startsWith("cookie.")) return SUBJECTS.cookie.written;
  if (word.startsWith("length(")) return SUBJECTS.length.written;
  if (word.startsWith("$")) return SUBJECTS.body.written;
  return ["status", "latency", "body", ...OPERATOR_WORDS]
    .find((each) => each === word);
}

/** The word between white space and quotes around `offset`. */
function tokenAt(
  text: string,
  offset: number,
  from: number,
  to: number,
): [token: string, start: number] {
  const before = /[^\s"']*$/.exec(text.slice(from, offset))![0];
  const after = /^[^\s"']*/.exec(text.slice(offset, to))![0];
  return [before + after, offset - before.length];
}
