import { OPERATOR_WORDS } from "../expressions/assertion.ts";
import { MEASURES } from "../expressions/threshold.ts";
import { pathIn } from "../json_path/path_reader.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import { variablesAt } from "./names.ts";
import {
  type Suggestion,
  type SuggestionKind,
  suggestWord,
  type Writing,
} from "./suggestion.ts";

const COMPARISONS = ["<", "<=", ">", ">="];

/** The next part of an assertion or a threshold. */
export function suggestExpression(
  writing: Writing,
  kind: "assertion" | "threshold",
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
  if (written === "") return subjects(writing, token);
  const after = afterSubject(written);
  if (after === undefined) return [];
  return after === ""
    ? words(writing, token, operators(written), "operator")
    : rightSides(writing, token, written);
}

/** What follows the subject; undefined while a path is not whole. */
function afterSubject(written: string): string | undefined {
  if (!written.startsWith("$")) return written.replace(/^\S+\s*/, "");
  try {
    return written.slice(pathIn(written, 0).end).trim();
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** A duration can only be compared. */
function operators(subject: string): string[] {
  return OPERATOR_WORDS.filter((each) =>
    subject !== "latency" || /^[=!<>]/.test(each)
  );
}

function subjects(writing: Writing, token: string): Suggestion[] {
  return [
    ...words(writing, token, ["status", "latency", "header.", "$."], "word"),
    ...words(writing, token, known(writing), "variable"),
  ];
}

function rightSides(
  writing: Writing,
  token: string,
  written: string,
): Suggestion[] {
  if (/(?:exists|matches)$/.test(written)) return [];
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
const SPELLED: Readonly<Record<string, string>> = {
  "header.": "header.<Name>",
  "$.": "$...",
};
