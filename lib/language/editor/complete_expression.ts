import { OPERATOR_WORDS } from "../expressions/assertion.ts";
import { MEASURES } from "../expressions/threshold.ts";
import { pathEnd } from "../json_path/json_path.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import type { Writing } from "./complete_keys.ts";
import { variablesBefore } from "./names.ts";
import { type Suggestion, type SuggestionKind, wordEnd } from "./suggestion.ts";

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
    return written.slice(pathEnd(written, 0)).trim();
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
  const variables = [...known(writing).keys()];
  return [
    ...words(writing, token, ["status", "latency", "header.", "$."], "word"),
    ...words(writing, token, variables, "variable"),
  ];
}

function rightSides(
  writing: Writing,
  token: string,
  written: string,
): Suggestion[] {
  if (/(?:exists|matches)$/.test(written)) return [];
  const [top, step] = writing.context.path;
  const kinds = writing.context.nodeAt([top!, step!]);
  const keys = kinds?.kind === "map" ? kinds.entries.map(({ key }) => key) : [];
  const statuses = /^status\s/.test(written)
    ? keys.flatMap((key) => [
      ...writing.language.kinds.get(key)?.statusNames?.keys() ?? [],
    ])
    : [];
  const templates = [...known(writing).keys()].map((name) => `{{ ${name} }}`);
  return [
    ...words(writing, token, statuses, "word"),
    ...words(writing, token, templates, "variable"),
  ];
}

/** Variables that the assertion under the cursor may look at. */
function known({ document, language, context: { path } }: Writing) {
  const [, step, key] = path;
  return variablesBefore(
    language.names.of(document),
    typeof step === "number" ? step : undefined,
    key === "assert",
  );
}

function words(
  { document, offset, context, language }: Writing,
  token: string,
  labels: readonly string[],
  kind: SuggestionKind,
): Suggestion[] {
  const around = context.path.filter((each) => typeof each === "string");
  const change = {
    start: offset - token.length,
    end: wordEnd(document.text, offset),
  };
  return labels.map((label) => {
    const documentation = language.reference.meaning(
      SPELLED[label] ?? label,
      [...around, "assert"],
    );
    return {
      label,
      kind,
      ...(kind !== "variable" && documentation !== undefined &&
        { documentation }),
      change: { ...change, text: label },
    };
  });
}

/** How the documentation writes what is only begun here. */
const SPELLED: Readonly<Record<string, string>> = {
  "header.": "header.<Name>",
  "$.": "$...",
};
