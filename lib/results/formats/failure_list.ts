import { escapeControls } from "../../base/text/display.ts";
import { lineOf } from "../../base/text/location.ts";
import { frameOf } from "../../base/text/render.ts";
import {
  BAD_OUTCOMES,
  type Outcome,
  OUTCOME_NAMES,
  OUTCOMES,
} from "../../model/outcome.ts";
import type {
  FailureGroup,
  RowSummary,
  RunMeta,
} from "../../model/result/run.ts";
import { ONCE } from "../../model/result/trace.ts";
import { exchangesOnce } from "../failures/exchange.ts";
import {
  badRows,
  countText,
  latencyText,
  plural,
  rowName,
  rowText,
} from "../report/figures.ts";
import { valuesText } from "../report/failure_texts.ts";
import type { Page } from "./page.ts";

/** Causes, or failed rows, shown in full. */
const MOST = 20;
/** Passed rows are listed when there are no more rows than this. */
const FEW_ROWS = 20;
const INDENT = "        ";
const LONGEST_OUTCOME = Math.max(...OUTCOME_NAMES.map((each) => each.length));

/** The parts of a failure that are not stored with it. */
interface Shown {
  /** Texts of flow files by name; failures show their line. */
  readonly sources: ReadonlyMap<string, string>;
  /** The lines of a failure's exchange, the first time it is asked for. */
  readonly exchange: ReturnType<typeof exchangesOnce>;
}

/**
 * The failures: those of `setup` and `teardown`, then row by row where the run has
 * rows, else cause by cause.
 */
export function failureText(
  page: Page,
  meta: RunMeta,
  sources: Shown["sources"] = new Map(),
): void {
  const shown: Shown = { sources, exchange: exchangesOnce(meta) };
  once(page, meta, shown);
  if (meta.rows && meta.rows.length > 0) {
    rowList(page, meta, meta.rows, shown);
  } else {
    for (const outcome of BAD_OUTCOMES) {
      const own = meta.failures.filter((each) => each.outcome === outcome);
      groupList(page, OUTCOMES[outcome].causes, own, shown);
    }
  }
}

function groupList(
  page: Page,
  title: string,
  groups: readonly FailureGroup[],
  beside: Shown,
): void {
  if (groups.length === 0) return;
  page.heading(title);
  for (const group of groups.slice(0, MOST)) {
    page.flow([
      `${mark(page, group.outcome)} ${countText(group.count)} ×`,
      page.paint("bold", escapeControls(group.step)),
      escapeControls(group.code),
      ...location(group),
    ], "    ");
    detail(page, group, beside);
    page.flow(where(group), INDENT);
  }
  more(page, groups.length - MOST, "cause");
}

function rowList(
  page: Page,
  meta: RunMeta,
  rows: readonly RowSummary[],
  beside: Shown,
): void {
  const { completed } = meta.iterations;
  page.heading(
    rows.some((row) => row.row !== undefined) ? "rows" : "iterations",
  );
  const bad = rows.filter((row) => row.outcome !== "passed");
  const shown = new Set(bad.slice(0, MOST));
  for (const row of rows) {
    const passed = row.outcome === "passed";
    if (passed ? completed > FEW_ROWS : !shown.has(row)) continue;
    const [failure, ...others] = row.failures;
    page.flow([
      `${mark(page, row.outcome)} ${row.outcome.padEnd(LONGEST_OUTCOME)}`,
      escapeControls(rowName(row)),
      latencyText(row.duration_ms),
      ...(failure ? [page.paint("bold", escapeControls(failure.step))] : []),
      ...(failure ? location(failure) : []),
    ], "    ");
    if (failure) detail(page, failure, beside);
    for (const other of others) named(page, other, beside);
    more(page, row.other_failures ?? 0, "failure", "      ");
    if (!passed && row.trace_id) page.line(`${INDENT}trace ${row.trace_id}`);
  }
  more(page, badRows(meta) - shown.size, "row");
}

/** `setup` and `teardown`, with the failures that they alone have. */
function once(page: Page, meta: RunMeta, beside: Shown): void {
  const lists = ONCE.filter((list) => meta[list]);
  if (lists.length > 0) page.line();
  for (const list of lists) {
    const { outcome, steps, requests, duration_ms, failures } = meta[list]!;
    page.flow([
      page.paint("bold", list.padEnd("teardown".length)),
      outcome === "interrupted"
        ? page.paint("yellow", "! interrupted")
        : `${mark(page, outcome)} ${outcome}`,
      plural(steps.length, "step"),
      plural(requests, "request"),
      latencyText(duration_ms),
    ], "  ");
    for (const failure of failures) named(page, failure, beside);
  }
}

/** The step that failed, and where, above its detail. */
function named(page: Page, failure: FailureGroup, beside: Shown): void {
  const name = page.paint("bold", escapeControls(failure.step));
  page.flow([name, ...location(failure)], "      ");
  detail(page, failure, beside);
}

/** Message, source line, expected and actual, and the exchange. */
function detail(
  page: Page,
  failure: FailureGroup,
  { sources, exchange }: Shown,
): void {
  page.prose(failure.message, INDENT);
  for (const each of sourceLines(failure, sources)) {
    page.line(page.paint("dim", `${INDENT}${each}`));
  }
  for (const each of valuesText(failure)) page.prose(each, INDENT);
  for (const each of exchange(failure)) {
    const text = each.trimStart();
    const indent = " ".repeat(each.length - text.length);
    page.prose(text, `${INDENT}> ${indent}`, "dim");
  }
}

/** A longer line is cut around what failed, which a caret then shows. */
const LONGEST_LINE = 100;

/** The line of the flow that a failure is of, with its number. */
function sourceLines(
  { file = "", line: number = 0, column = 1 }: FailureGroup,
  sources: Shown["sources"],
): string[] {
  const whole = lineOf(sources.get(file) ?? "", number) ?? "";
  const line = whole.trim();
  if (line === "") return [];
  const at = Math.max(1, column - whole.indexOf(line));
  const frame = line.length > LONGEST_LINE &&
    frameOf(line, { line: 1, column: at, length: 1 });
  if (!frame) return [`${number} | ${escapeControls(line)}`];
  const gutter = " ".repeat(String(number).length);
  return [`${number} | ${frame.line}`, `${gutter} | ${frame.carets}`];
}

function where(group: FailureGroup): string[] {
  const sample = group.count > 1 ? "such as " : "";
  return [
    ...(group.row === undefined ? [] : [
      escapeControls(rowText(group.row, group.row_name)),
    ]),
    ...(group.trace_id === undefined ? [] : [`trace ${group.trace_id}`]),
  ].map((part, index) => index === 0 ? sample + part : part);
}

function location({ file, line, column }: FailureGroup): string[] {
  return file === undefined
    ? []
    : [`${escapeControls(file)}:${line}:${column}`];
}

function more(page: Page, count: number, noun: string, indent = "    "): void {
  if (count <= 0) return;
  page.line(`${indent}and ${plural(count, `more ${noun}`)}`);
}

function mark(page: Page, outcome: Outcome): string {
  const { sign, color } = OUTCOMES[outcome];
  return page.paint(color, sign);
}
