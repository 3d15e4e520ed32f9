import { OPERATOR_WORDS } from "../expressions/assertion.ts";
import type { EditorDocument } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { definitionOf, keyForm } from "./forms.ts";
import { keyText } from "./hover_text.ts";
import { locate, type Located } from "./located.ts";
import { definitionOfUse, nameAt, usesOf } from "./find_name.ts";
import type { NameUse } from "./names.ts";
import type { Surroundings } from "./surroundings.ts";
import type { TreePath } from "./tree.ts";

/** What is known of a part of a text. */
interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is known of what is written at `offset`. */
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
  const located = locate(document, offset);
  if (!located) return;
  return "key" in located
    ? hoverKey(located, located.key, language)
    : hoverWord(located, document.text, offset, language);
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
  if (kind === "column") {
    return `**${name}**: column of ${
      document.textAt(["data"]) ?? "the fixture"
    }`;
  }
  if (kind === "step") {
    const uses = usesOf(names, use).filter(({ defines }) => !defines);
    return `**${name}**: step; uses of what it extracts or opens: ${uses.length}`;
  }
  const [made] = definitionOfUse(names, use);
  const step = made?.step === undefined
    ? undefined
    : document.textAt(["steps", made.step, "id"]);
  const by = step === undefined ? "no step" : `step \`${step}\``;
  if (kind === "session") return `**${name}**: session, opened by ${by}`;
  const source = made?.source ? ` from \`${made.source}\`` : "";
  return `**${name}**: variable, extracted by ${by}${source}`;
}

function hoverKey(
  { path, start, end, nodeAt }: Located,
  key: string,
  { forms, reference }: FileLanguage,
): Hover | undefined {
  for (const mapping of forms.at(path, nodeAt)) {
    const form = keyForm(mapping, key);
    if (!form) continue;
    return { text: keyText(key, form, reference), start, end };
  }
}

/** A word of a closed set, or a part of an expression. */
function hoverWord(
  located: Located,
  text: string,
  offset: number,
  { forms, reference }: FileLanguage,
): Hover | undefined {
  const { path, nodeAt } = located;
  const [word, start] = tokenAt(text, offset, located.start, located.end);
  const allowed = forms.at(path, nodeAt);
  const kinds = allowed.map(definitionOf);
  const closed = allowed.some((form) =>
    form["const"] === word || [form["enum"]].flat().includes(word)
  );
  const around = keysOf(path);
  const spelled = kinds.includes("assertion")
    ? assertionWord(word)
    : closed || kinds.includes("threshold")
    ? word
    : undefined;
  const meaning = spelled === undefined
    ? undefined
    : reference.meaning(spelled, [
      ...around,
      ...kinds.includes("assertion") ? ["assert"] : [],
    ]);
  if (meaning === undefined) return;
  return {
    text: `**${spelled}**: ${meaning}`,
    start,
    end: start + word.length,
  };
}

/** How the documentation writes a subject or an operator. */
function assertionWord(word: string): string | undefined {
  if (/^header\./i.test(word)) return "header.<Name>";
  if (word.startsWith("$")) return "$...";
  return ["status", "latency", ...OPERATOR_WORDS].find((each) => each === word);
}

/** What is between white space and quotes around `offset`. */
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

function keysOf(path: TreePath): string[] {
  return path.filter((each) => typeof each === "string");
}
