import type {
  ComparedFigure,
  RunComparison,
} from "../comparison/comparison.ts";
import { changeText, figureName, valueText } from "./comparison_words.ts";
import { type Case, renderSuite } from "./junit_xml.ts";

/**
 * A comparison as JUnit XML, a test case a figure: one that is worse failed, one that
 * is unclear was skipped.
 */
export function renderComparisonJunit(comparison: RunComparison): string {
  const { flow, candidate, bases, margin } = comparison;
  return renderSuite({
    name: flow,
    timestamp: candidate.started_at,
    durationMs: candidate.duration_ms,
    properties: [
      ["candidate", candidate.id],
      ["bases", bases.map(({ id }) => id).join(" ")],
      ["margin", String(margin)],
    ],
    cases: comparison.figures.map(caseOf),
  });
}

function caseOf(figure: ComparedFigure): Case {
  const base = { name: figureName(figure), seconds: 0 };
  const { verdict, detail } = figure;
  if (verdict === "unclear") {
    const message = detail ?? verdict;
    const type = verdict;
    return {
      ...base,
      verdict: { element: "skipped", type, message, text: "" },
    };
  }
  if (verdict !== "worse") return base;
  const message = `${base.name} is worse: ${
    valueText(figure, figure.base)
  } before, ${valueText(figure, figure.candidate)} now, ${changeText(figure)}`;
  return {
    ...base,
    verdict: { element: "failure", type: "worse", message, text: "" },
  };
}
