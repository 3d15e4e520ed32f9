import { escapeControls } from "../../base/text/display.ts";
import type {
  ComparedFigure,
  ComparisonVerdict,
  RunComparison,
} from "../comparison/comparison.ts";
import {
  latencyText,
  perSecondText,
  plural,
  shareText,
} from "../report/figures.ts";
import type { Judgement } from "../../model/result/findings.ts";
import { someOf } from "../report/contract.ts";
import { type Case, renderSuites } from "./junit.ts";
import { code, table, words } from "./markdown.ts";
import { Page, type Style } from "./page.ts";

/** `p95`, `login p95`. */
export function figureName({ metric, step }: ComparedFigure): string {
  const name = metric === "requests_per_second" ? "requests/s" : metric;
  return step === undefined ? name : `${step} ${name}`;
}

/** With its unit; `-` when there is none. */
export function valueText(
  { unit }: Pick<ComparedFigure, "unit">,
  value: number | null,
): string {
  if (value === null) return "-";
  if (unit === "ms") return latencyText(Number(value.toPrecision(4)));
  return unit === "share" ? shareText(value) : perSecondText(value);
}

/** `+18% (+9% to +27%)`; of rates in percentage points. */
export function changeText({ change, unit }: ComparedFigure): string {
  if (change === null) return "-";
  const { value, low, high } = change;
  const text = (each: number, unit: string) => `${signed(each * 100)}${unit}`;
  return unit === "share"
    ? `${text(value, "")} points (${text(low, "")} to ${text(high, "")})`
    : `${text(value, "%")} (${text(low, "%")} to ${text(high, "%")})`;
}

/** The verdict, and what it lacks. */
export function verdictText({ verdict, detail }: ComparedFigure): string {
  return detail === undefined ? verdict : `${verdict}: ${detail}`;
}

/** A sentence about the comparison as a whole. */
export function comparisonSentence(
  { verdict, figures, margin, paired }: RunComparison,
): string {
  const names = (verdict: ComparisonVerdict) =>
    figures.filter((each) => each.verdict === verdict).map(figureName)
      .join(", ");
  // Of runs in the same seconds any change counts that is surely there.
  const beyond = paired ? "" : ` by more than ${percent(margin)}`;
  switch (verdict) {
    case "worse":
      return `worse${beyond}: ${names("worse")}`;
    case "better":
      return `better${beyond}: ${names("better")}`;
    case "same":
      return `the same within ${percent(margin)}`;
    case "unclear":
      return `not surely worse; unclear: ${names("unclear")}`;
  }
}

/** Figures that a stored verdict names. */
const MOST_NAMED = 3;

/** The verdict as it is stored with each run that took part. */
export function judgementOf(comparison: RunComparison): Judgement {
  const { candidate, bases, paired, verdict, figures } = comparison;
  const all = figures.filter((each) => each.verdict === verdict);
  const hasMoved = verdict === "worse" || verdict === "better";
  const others = all.length - MOST_NAMED;
  const named =
    all.slice(0, MOST_NAMED).map((each) =>
      hasMoved
        ? `${figureName(each)} ${changeText(each).split(" (")[0]}`
        : figureName(each)
    ).join(", ") + (others > 0 ? ` and ${plural(others, "more figure")}` : "");
  const is = hasMoved
    ? `${verdict}: ${named}`
    : verdict === "same"
    ? "the same"
    : `neither surely better nor surely worse; unclear: ${named}`;
  return {
    kind: paired ? "duel" : "comparison",
    verdict,
    text: `${paired ? "B" : "the candidate"} is ${is}`,
    runs: [candidate, ...bases].map(({ id }) => id),
  };
}

/** How the figures came about. */
export function methodSentence(
  { paired, confidence, bases }: RunComparison,
): string {
  const how = paired
    ? "measured in the same seconds"
    : bases.length === 1
    ? "one base run: what differs between runs is not known"
    : `${bases.length} base runs`;
  return `intervals hold together with ${
    percent(confidence)
  } confidence; ${how}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

function signed(value: number): string {
  const digits = Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  const number = Number(value.toFixed(digits));
  return `${number > 0 ? "+" : ""}${number}`;
}

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
  const others = bases.length - MOST_BASES;
  const named = others > 1 ? bases.slice(0, MOST_BASES) : bases;
  for (const base of named) {
    page.line(`  base       ${base.id}  target ${base.target}`);
  }
  if (others > 1) page.line(`             and ${others} more`);
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
/** Base runs that are named. */
const MOST_BASES = 10;

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
  return renderSuites([{
    name: flow,
    timestamp: candidate.started_at,
    durationMs: candidate.duration_ms,
    properties: [
      ["candidate", candidate.id],
      ["bases", bases.map(({ id }) => id).join(" ")],
      ["margin", String(margin)],
    ],
    cases: comparison.figures.map(caseOf),
  }]);
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
  const [from, to, change] = valuesOf(figure);
  // Latencies that are compared second by second have no value of their own.
  const values = figure.base === null ? "" : `, from ${from} to ${to}`;
  const message = `${base.name} is worse: ${change}${values}`;
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
      someOf(bases.map(({ id }) => code(id)), MOST_BASES)
    }; ${methodSentence(comparison)}.`,
    ...notes.map((note) => `Note: ${words(note)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}
