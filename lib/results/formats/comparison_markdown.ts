import type {
  ComparisonVerdict,
  RunComparison,
} from "../comparison/comparison.ts";
import {
  changeText,
  comparisonSentence,
  figureName,
  methodSentence,
  valueText,
  verdictText,
} from "./comparison_words.ts";
import { code, table, words } from "./markdown_parts.ts";

const SIGNS: Readonly<Record<ComparisonVerdict, string>> = {
  worse: "❌",
  better: "✅",
  same: "➖",
  unclear: "❔",
};

/** A comparison as Markdown, for a pull request or a job's summary page. */
export function renderComparisonMarkdown(comparison: RunComparison): string {
  const { flow, verdict, figures, candidate, bases, notes } = comparison;
  const rows = figures.map((each) => [
    words(figureName(each)),
    valueText(each, each.base),
    valueText(each, each.candidate),
    changeText(each),
    `${SIGNS[each.verdict]} ${words(verdictText(each))}`,
  ]);
  const parts = [
    `## ${SIGNS[verdict]} ${words(flow)}: ${
      words(comparisonSentence(comparison))
    }`,
    table(["figure", "base", "candidate", "change", "verdict"], rows),
    `Candidate ${code(candidate.id)} against ${
      bases.map(({ id }) => code(id)).join(", ")
    }; ${methodSentence(comparison)}.`,
    ...notes.map((note) => `Note: ${words(note)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}
