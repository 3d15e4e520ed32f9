import type {
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
