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
import { Page, shownWidth, type Style } from "./page.ts";
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
  const heads = ["figure", "base", "candidate", "change", ""];
  const rows = figures.map((each) => [
    escapeControls(figureName(each)),
    valueText(each, each.base),
    valueText(each, each.candidate),
    changeText(each),
    page.paint(
      SIGNS[each.verdict][1],
      `${SIGNS[each.verdict][0]} ${verdictText(each)}`,
    ),
  ]);
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...rows.map((row) => shownWidth(row[i]!)))
  );
  const line = (cells: readonly string[]) =>
    `    ${
      cells.map((cell, i) =>
        i === 1 || i === 2 ? cell.padStart(widths[i]!) : pad(cell, widths[i]!)
      ).join("  ")
    }`;
  page.line(page.paint("dim", line(heads)));
  for (const row of rows) page.line(line(row));
  page.line();
  page.prose(methodSentence(comparison), "  ");
  for (const note of notes) page.prose(`note: ${note}`, "  ", "yellow");
  return page.text();
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - shownWidth(cell)));
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
  const message = `${base.name} is worse: ${
    valueText(figure, figure.base)
  } before, ${valueText(figure, figure.candidate)} now, ${changeText(figure)}`;
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
    valueText(each, each.base),
    valueText(each, each.candidate),
    changeText(each),
    `${EMBLEMS[each.verdict]} ${words(verdictText(each))}`,
  ]);
  const parts = [
    `## ${EMBLEMS[verdict]} ${words(flow)}: ${
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
