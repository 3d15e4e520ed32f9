import type { Listed } from "./listed_run.ts";
import { verdictOf } from "./verdict.ts";

/** One word of a filter. */
interface FilterTerm {
  /** Any of the fields when absent. */
  readonly field?: Field;
  /** In lower case. */
  readonly text: string;
  readonly not: boolean;
}

const FIELDS = ["verdict", "flow", "mode", "target", "id", "knee"] as const;
type Field = typeof FIELDS[number];

/**
 * Reads `mode:load !target:prod "some words"`: every term must fit; `!` turns
 * one round. A word before a colon that is no field is part of the text.
 */
export function parseFilter(text: string): FilterTerm[] {
  const terms: FilterTerm[] = [];
  for (const match of text.matchAll(/(!?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const [, not, name, quoted, bare] = match;
    const words = (quoted ?? bare ?? "").toLowerCase();
    const field = FIELDS.find((each) => each === name);
    const rest = name !== undefined && field === undefined
      ? `${name}:${words}`
      : words;
    if (rest === "") continue;
    terms.push({ ...(field && { field }), text: rest, not: not === "!" });
  }
  return terms;
}

/** The runs that every term fits. */
export function filterRuns(
  runs: readonly Listed[],
  terms: readonly FilterTerm[],
): Listed[] {
  return runs.filter((run) => terms.every((term) => fits(run, term)));
}

function fits(run: Listed, { field, text, not }: FilterTerm): boolean {
  const fields = fieldsOf(run);
  // A verdict is a whole word: `pass` must not find `passed with ...`.
  const found = field === "verdict"
    ? fields.verdict === text
    : field === undefined
    ? Object.values(fields).some((each) => each.includes(text))
    : fields[field].includes(text);
  return found !== not;
}

function fieldsOf({ id, meta }: Listed): Readonly<Record<Field, string>> {
  if (!meta) {
    return {
      verdict: "unreadable",
      flow: "",
      mode: "",
      target: "",
      id: id.toLowerCase(),
      knee: "",
    };
  }
  return {
    verdict: verdictOf(meta).word.toLowerCase(),
    flow: meta.flow.toLowerCase(),
    mode: meta.mode.toLowerCase(),
    target: meta.target.toLowerCase(),
    id: id.toLowerCase(),
    knee: meta.knee?.class ?? "",
  };
}
