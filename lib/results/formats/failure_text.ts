import type {
  FailureGroup,
  RowSummary,
  RunMeta,
} from "../../model/result/run.ts";
import {
  countText,
  latencyText,
  plural,
  rowName,
  rowText,
  typedText,
} from "../report/figures.ts";
import { lineOf } from "../../base/text/lines.ts";
import { escapeControls } from "../../base/text/display.ts";
import type { Page } from "./page.ts";

/** Causes, or failed rows, shown in full. */
const MOST = 20;
/** Passed rows are listed when there are no more rows than this. */
const FEW_ROWS = 20;
const INDENT = "        ";

/** Texts of flow files by name; failures show their line. */
type Sources = ReadonlyMap<string, string>;

/** What failed: row by row where the run has rows, else cause by cause. */
export function failureText(
  page: Page,
  meta: RunMeta,
  sources: Sources,
): void {
  if (meta.rows && meta.rows.length > 0) {
    rowList(page, meta, meta.rows, sources);
  } else {
    const of = (outcome: FailureGroup["outcome"]) =>
      meta.failures.filter((each) => each.outcome === outcome);
    groupList(page, "failures", of("failed"), sources);
    groupList(page, "throttles", of("throttled"), sources);
  }
}

function groupList(
  page: Page,
  title: string,
  groups: readonly FailureGroup[],
  sources: Sources,
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
    detail(page, group, sources);
    page.flow(where(group), INDENT);
  }
  more(page, groups.length - MOST, "cause");
}

function rowList(
  page: Page,
  meta: RunMeta,
  rows: readonly RowSummary[],
  sources: Sources,
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
      `${mark(page, row.outcome)} ${row.outcome.padEnd("throttled".length)}`,
      escapeControls(rowName(row)),
      latencyText(row.duration_ms),
      ...(failure ? [page.paint("bold", escapeControls(failure.step))] : []),
      ...(failure ? location(failure) : []),
    ], "    ");
    if (failure) detail(page, failure, sources);
    for (const other of others) {
      const name = page.paint("bold", escapeControls(other.step));
      page.flow([name, ...location(other)], "      ");
      detail(page, other, sources);
    }
    more(page, row.other_failures ?? 0, "failure", "      ");
    if (!passed && row.trace_id) page.line(`${INDENT}trace ${row.trace_id}`);
  }
  const { failed, throttled, passed } = meta.iterations;
  // One that is failed and throttled is in both counts.
  more(
    page,
    Math.max(failed, throttled, completed - passed) - shown.size,
    "row",
  );
}

/** Message, source line, expected and actual. */
function detail(
  page: Page,
  failure: FailureGroup,
  sources: Sources,
): void {
  page.prose(failure.message, INDENT);
  const { file = "", line: number = 0 } = failure;
  const line = lineOf(sources.get(file) ?? "", number);
  if (line?.trim()) {
    page.line(
      page.paint(
        "dim",
        `${INDENT}${number} | ${escapeControls(line.trim())}`,
      ),
    );
  }
  if (failure.expected) {
    page.prose(`expected: ${typedText(failure.expected)}`, INDENT);
  }
  if (failure.actual) {
    page.prose(`actual:   ${typedText(failure.actual)}`, INDENT);
  }
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

function mark(page: Page, outcome: RowSummary["outcome"]): string {
  if (outcome === "passed") return page.paint("green", "✓");
  return outcome === "failed"
    ? page.paint("red", "✗")
    : page.paint("yellow", "!");
}
