import type {
  ComparedFigure,
  ComparisonVerdict,
  RunComparison,
} from "../comparison/comparison.ts";
import { escapeControls } from "../../base/text/display.ts";
import {
  changeText,
  comparisonSentence,
  figureName,
  methodSentence,
  valueText,
  verdictText,
} from "./comparison_words.ts";
import { Page, type Style } from "./page.ts";
import { type Case, renderSuite } from "./junit_xml.ts";
import { code, table, words } from "./markdown_parts.ts";

const SIGNS: Readonly<Record<ComparisonVerdict, [sign: string, style: Style]>> =
  {
    worse: ["✗", "red"],
    better: ["✓", "green"],
    same: ["=", "dim"],
    unclear: ["?", "yellow"],
  };

/** A comparison for the terminal: what it comes to, then a line a figure. */
export function renderComparison(
  comparison: RunComparison,
  options: { readonly color: boolean; readonly width: number },
): string {
  const page = new Page(options.width, options.color);
  const { candidate, bases, verdict, figures, notes } = comparison;
  const [sign, style] = SIGNS[verdict];
  page.line(
    `${page.paint("bold", escapeControls(comparison.flow))}  ${
      page.paint(style, `${sign} ${verdict.toUpperCase()}`)
    }`,
  );
  page.prose(comparisonSentence(comparison), "  ");
  page.line(`  candidate  ${candidate.id}  target ${candidate.target}`);
  for (const base of bases) {
    page.line(`  base       ${base.id}  target ${base.target}`);
  }
  page.line();
  const rows = figures.map((each) => {
    const [sign, style] = SIGNS[each.verdict];
    return [
      escapeControls(figureName(each)),
      ...valuesOf(each),
      page.paint(style, `${sign} ${verdictText(each)}`),
    ];
  });
  page.table([...HEADS, ""], rows, [0, 3, 4]);
  page.line();
  page.prose(methodSentence(comparison), "  ");
  for (const note of notes) page.prose(`note: ${note}`, "  ", "yellow");
  return page.text();
}

const HEADS = ["figure", "base", "candidate", "change"];

function valuesOf(figure: ComparedFigure): string[] {
  const { base, candidate } = figure;
  return [
    valueText(figure, base),
    valueText(figure, candidate),
    changeText(figure),
  ];
}

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
  const [before, now, change] = valuesOf(figure);
  const message =
    `${base.name} is worse: ${before} before, ${now} now, ${change}`;
  return {
    ...base,
    verdict: { element: "failure", type: "worse", message, text: "" },
  };
}

const EMBLEMS: Readonly<Record<ComparisonVerdict, string>> = {
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
    ...valuesOf(each),
    `${EMBLEMS[each.verdict]} ${words(verdictText(each))}`,
  ]);
  const parts = [
    `## ${EMBLEMS[verdict]} ${words(flow)}: ${
      words(comparisonSentence(comparison))
    }`,
    table([...HEADS, "verdict"], rows),
    `Candidate ${code(candidate.id)} against ${
      bases.map(({ id }) => code(id)).join(", ")
    }; ${methodSentence(comparison)}.`,
    ...notes.map((note) => `Note: ${words(note)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}
