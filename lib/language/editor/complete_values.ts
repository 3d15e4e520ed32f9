import { ExpressionError } from "../../base/errors/bench_error.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import { isExistence, OPERATOR_WORDS } from "../expressions/assertion.ts";
import { SUBJECTS } from "../expressions/assertion_ir.ts";
import { OPERATORS } from "../expressions/operator.ts";
import { MEASURES } from "../expressions/threshold.ts";
import type { Suggestions } from "../flow/registry.ts";
import { STEP_LISTS } from "../flow/flow.ts";
import { pathIn } from "../json_path/path_reader.ts";
import { definitionOf, type PlainForm } from "./forms.ts";
import { variablesAt } from "./names.ts";
import {
  type Suggestion,
  type SuggestionKind,
  suggestWord,
  type Surroundings,
  type Writing,
} from "./suggestion.ts";
import type { TreeNode } from "./tree.ts";

const COMPARISONS = ["<", "<=", ">", ">="];

/** The next part of an assertion or a threshold. */
function suggestExpression(
  writing: Writing,
  kind: "assertion" | "threshold",
  fitting: readonly string[] | undefined,
): Suggestion[] {
  const { typed } = writing.context;
  const [, before = "", token = ""] = /^(.*?)(\S*)$/s.exec(typed)!;
  const written = before.trim();
  if (kind === "threshold") {
    if (written === "") return words(writing, token, MEASURES, "word");
    return /[<>]/.test(written)
      ? []
      : words(writing, token, COMPARISONS, "operator");
  }
  if (written === "") return subjects(writing, token, fitting);
  const after = afterSubject(written);
  if (after === undefined) return [];
  return after === ""
    ? words(
      writing,
      token,
      operators(written, writing.document.version),
      "operator",
    )
    : rightSides(writing, token, written);
}

/** The text that follows the subject; undefined while a path is not whole. */
function afterSubject(written: string): string | undefined {
  if (!written.startsWith("$")) return written.replace(/^\S+\s*/, "");
  try {
    return written.slice(pathIn(written, 0).end).trim();
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** The operators of the file's version that fit a subject; a duration can only be compared. */
function operators(subject: string, version: number): string[] {
  return OPERATOR_WORDS.filter((each) => {
    if (isExistence(each)) return subject !== "latency";
    const { takes, looksInside, version: since = 0 } = OPERATORS[each];
    const compares = !looksInside && takes !== "a list";
    return since <= version && (subject !== "latency" || compares);
  });
}

function subjects(
  writing: Writing,
  token: string,
  fitting: readonly string[] | undefined,
): Suggestion[] {
  const begun = Object.values(SUBJECTS)
    .filter(({ version = 0 }) => version <= writing.document.version)
    .filter(({ written }) => fitting?.includes(written) ?? true)
    .map(({ written }) => BEGUN[written] ?? written)
    .filter((each) => each !== "");
  return [
    ...words(writing, token, begun, "word"),
    ...words(writing, token, known(writing), "variable"),
  ];
}

function rightSides(
  writing: Writing,
  token: string,
  written: string,
): Suggestion[] {
  if (/(?:exists|matches|_with|\sin)$/.test(written)) return [];
  const { context: { path, nodeAt }, language: { kinds } } = writing;
  const step = nodeAt(path.slice(0, 2));
  const keys = step?.kind === "map" ? step.entries.map(({ key }) => key) : [];
  const statuses = /^status\s/.test(written)
    ? keys.flatMap((key) => [...kinds.get(key)?.statusNames?.keys() ?? []])
    : [];
  const templates = known(writing).map((name) => `{{ ${name} }}`);
  return [
    ...words(writing, token, statuses, "word"),
    ...words(writing, token, templates, "variable"),
  ];
}

/** Variables that the assertion under the cursor may look at. */
function known({ document, language, context: { path } }: Writing): string[] {
  return [...variablesAt(path, language.names.of(document)).keys()];
}

function words(
  writing: Writing,
  token: string,
  labels: readonly string[],
  kind: SuggestionKind,
): Suggestion[] {
  const { offset, context: { path }, language: { reference } } = writing;
  return labels.map((label) => {
    const meaning = kind === "variable"
      ? undefined
      : reference.meaning(SPELLED[label] ?? label, [...path, "assert"]);
    return suggestWord(writing, label, kind, offset - token.length, meaning);
  });
}

/** How the documentation writes what is only begun here. */
const BEGUN: Readonly<Record<string, string>> = {
  "header.<Name>": "header.",
  "cookie.<name>": "cookie.",
  "length(<path>)": "length($",
  "$...": "$.",
  // Suggested by its name.
  "<variable>": "",
};
const SPELLED = Object.fromEntries(
  Object.entries(BEGUN).map(([spelled, begun]) => [begun, spelled]),
);

/** The values that may be written where the cursor is. */
export function suggestValues(
  writing: Writing,
  forms: readonly PlainForm[],
  surroundings: Surroundings,
  offer: Suggestions,
): Suggestion[] {
  const expression = forms.map(definitionOf)
    .find((each) => each === "assertion" || each === "threshold");
  if (expression) {
    return suggestExpression(writing, expression, offer.subjects);
  }
  const words = forms.flatMap(wordsOf);
  if (words.length > 0) return words.map((word) => value(writing, word));
  const begun = forms.flatMap(({ examples }) => (examples ?? []) as string[])
    .filter((each) => writing.document.version > 0 || each.startsWith("$"));
  if (begun.length > 0) return begun.map((each) => value(writing, each));
  const credential = forms.find(isCredential);
  if (credential) return credentials(writing, credential);
  const { path } = writing.context;
  if (path.length === 1 && path[0] === "data") {
    return suggestPaths(writing, { files: [".csv", ".json"] }, surroundings);
  }
  if (writing.language.kind === "mix" && path.at(-1) === "flow") {
    return suggestPaths(writing, { files: [".yaml", ".yml"] }, surroundings);
  }
  return [
    ...(offer.words ?? []).map((word) => wholeValue(writing, word)),
    ...suggestPaths(writing, offer, surroundings),
  ];
}

/** Closed words of a form. */
function wordsOf(form: PlainForm): string[] {
  if (Array.isArray(form["enum"])) return form["enum"].map(String);
  if (form["const"] !== undefined) return [String(form["const"])];
  return form["type"] === "boolean" ? ["true", "false"] : [];
}

/** A suggestion that replaces the text written so far by `text`. */
function value(
  writing: Writing,
  text: string,
  kind: SuggestionKind = "word",
): Suggestion {
  const { context: { path, start }, language: { reference } } = writing;
  return suggestWord(writing, text, kind, start, reference.meaning(text, path));
}

/** A value that has to be one template. */
function isCredential({ pattern }: PlainForm): boolean {
  return typeof pattern === "string" && /^\^\\\{\\\{/.test(pattern);
}

function credentials(writing: Writing, form: PlainForm): Suggestion[] {
  const { document, language, context: { path, quote } } = writing;
  const names = language.names.of(document);
  const takesVariables = new RegExp(String(form["pattern"])).test("{{ x }}");
  const variables = takesVariables ? variablesAt(path, names).keys() : [];
  const env = new Set(
    names.filter(({ kind }) => kind === "env").map(({ name }) => `env.${name}`),
  );
  return [...env, ...variables].map((name) => {
    const template = `{{ ${name} }}`;
    return value(writing, quote ? template : `"${template}"`, "variable");
  });
}

/** The suggestions of the kind of the step. */
export async function offered(
  { context, document, language }: Writing,
  surroundings: Surroundings,
): Promise<Suggestions> {
  const [top, step, kind, ...below] = context.path;
  const isStep = STEP_LISTS.some((list) => list === top);
  if (!isStep || typeof kind !== "string") return {};
  const block = json(context.nodeAt([top!, step!, kind]));
  const written = isObject(block) ? block : {};
  const known = language.kinds.get(kind);
  const suggestions = await known?.suggest?.(below, written, surroundings) ??
    {};
  const shared = below.length === 1 && known?.sharedKey?.key === below[0];
  const sessions = language.names.of(document)
    .filter(({ kind, defines }) => kind === "session" && defines);
  const words = [
    ...suggestions.words ?? [],
    ...(shared ? new Set(sessions.map(({ name }) => name)) : []),
  ];
  return { ...suggestions, words };
}

/** A value with more in it than a word; of one that is begun the rest stays. */
function wholeValue(writing: Writing, text: string): Suggestion {
  const { context: { typed, start }, offset } = writing;
  const [word, rest] = text.split(" ", 2);
  const [begun] = /^\S+ +(?=\S)/.exec(typed) ?? [];
  if (begun !== undefined && rest !== undefined) {
    const whole = `${word} ${typed.slice(begun.length)}`;
    return {
      ...value(writing, whole),
      change: { start, end: offset, text: whole },
    };
  }
  return wholeWord(writing, text);
}

function wholeWord(writing: Writing, text: string): Suggestion {
  const { change, ...rest } = value(writing, text);
  const goesOn = /^[\w./-]*/.exec(writing.document.text.slice(change.end))![0];
  return { ...rest, change: { ...change, end: change.end + goesOn.length } };
}

/** The written value, as JSON. */
function json(node: TreeNode | undefined): JsonValue {
  if (node?.kind === "map") {
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [key, json(value)]),
    ) as JsonObject;
  }
  if (node?.kind === "list") return node.items.map(json);
  return node?.text ?? null;
}

/** Files and folders that a value may name: one level of the path at a time. */
function suggestPaths(
  { document, offset, context: { typed } }: Writing,
  { files = [], folders }: Suggestions,
  surroundings: Surroundings,
): Suggestion[] {
  if (files.length === 0 && !folders) return [];
  const slash = typed.lastIndexOf("/") + 1;
  const start = offset - typed.length + slash;
  const goesOn = /^[^\s"'#,\]}]*/.exec(document.text.slice(offset))![0];
  return surroundings.list(typed.slice(0, slash) || ".")
    .filter((name) =>
      name.endsWith("/") ||
      files.some((ending) => name.toLowerCase().endsWith(ending))
    )
    .map((name) => {
      const folder = name.endsWith("/");
      return {
        label: name,
        kind: folder ? "folder" : "file",
        change: {
          start,
          end: offset + goesOn.length,
          text: folder && folders ? name.slice(0, -1) : name,
        },
      };
    });
}
