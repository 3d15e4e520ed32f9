import { dirname } from "node:path/posix";
import { escapeControls } from "../../base/text/display.ts";
import { lineOf } from "../../base/text/location.ts";
import { METRICS } from "../../model/metrics.ts";
import { ONCE } from "../../model/result/trace.ts";
import {
  BAD_OUTCOMES,
  type Outcome,
  OUTCOME_NAMES,
  OUTCOMES,
} from "../../model/outcome.ts";
import type {
  FailureGroup,
  GeneratorHealth,
  RowSummary,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import {
  actualText,
  countText,
  driftSentences,
  findingsOfFigures,
  latencyText,
  plural,
  rowName,
  rowText,
  runEnd,
  samplesText,
  shareText,
  typedText,
  warmUpText,
} from "../report/figures.ts";
import {
  isTooFew,
  knownIntervals,
  latencyFigures,
} from "../report/sample_sizes.ts";
import { contractText } from "./contract_text.ts";
import { Page } from "./page.ts";
import { phaseTable, stepTable } from "./step_tables.ts";

/** Causes, or failed rows, shown in full. */
const MOST = 20;
/** Passed rows are listed when there are no more rows than this. */
const FEW_ROWS = 20;
const INDENT = "        ";
const LONGEST_OUTCOME = Math.max(...OUTCOME_NAMES.map((each) => each.length));

/** Texts of flow files by name; failures show their line. */
type Sources = ReadonlyMap<string, string>;

/** The failures: row by row where the run has rows, else cause by cause. */
function failureText(
  page: Page,
  meta: RunMeta,
  sources: Sources,
): void {
  if (meta.rows && meta.rows.length > 0) {
    rowList(page, meta, meta.rows, sources);
  } else {
    for (const outcome of BAD_OUTCOMES) {
      const own = meta.failures.filter((each) => each.outcome === outcome);
      groupList(page, OUTCOMES[outcome].causes, own, sources);
    }
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
      `${mark(page, row.outcome)} ${row.outcome.padEnd(LONGEST_OUTCOME)}`,
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

/** `setup` and `teardown`, with the failures that they alone have. */
function once(page: Page, meta: RunMeta, sources: Sources): void {
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
    for (const failure of failures) {
      const name = page.paint("bold", escapeControls(failure.step));
      page.flow([name, ...location(failure)], "      ");
      detail(page, failure, sources);
    }
  }
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

function mark(page: Page, outcome: Outcome): string {
  const { sign, color } = OUTCOMES[outcome];
  return page.paint(color, sign);
}

/** How the summary is laid out. */
interface SummaryOptions {
  readonly color: boolean;
  /** Columns of the screen; 80 when there is none. */
  readonly width: number;
  /** The run's directory as the user can reach it; absent when nothing was stored. */
  readonly runDir?: string;
  /** Texts of flow files by name; failures then show their line. */
  readonly sources?: ReadonlyMap<string, string>;
  /** The phases of each step too. */
  readonly verbose?: boolean;
}

/**
 * The summary of a run: verdict, figures, a line per threshold, a row per
 * step, what failed and where, and how to look at the rest. Colour only
 * repeats a word or a sign.
 */
export function renderSummary(meta: RunMeta, options: SummaryOptions): string {
  const page = new Page(options.width, options.color);
  header(page, meta);
  rates(page, meta);
  latency(page, meta);
  thresholds(page, meta);
  stepTable(page, meta);
  if (options.verbose) phaseTable(page, meta);
  const { sources = new Map() } = options;
  once(page, meta, sources);
  failureText(page, meta, sources);
  contractText(page, meta);
  findings(page, meta);
  if (options.runDir !== undefined) wayToRun(page, options.runDir);
  return page.text();
}

function wayToRun(page: Page, runDir: string): void {
  page.line();
  page.line(`  run  ${runDir}`);
  page.line(`  view bench serve --store ${dirname(runDir)}`);
}

function header(page: Page, meta: RunMeta): void {
  const { summary, color } = runEnd(meta);
  page.flow(
    [
      page.paint("bold", escapeControls(meta.flow)),
      page.paint(color, summary),
      `target ${escapeControls(meta.target)}`,
      `mode ${meta.mode}`,
      plural(meta.vus, "VU"),
      latencyText(meta.duration_ms),
      plural(meta.iterations.completed, "iteration"),
      plural(meta.requests, "request"),
    ],
    "",
    "  ",
  );
  const options = Object.entries(meta.options ?? {}).map(optionText);
  const warmUp = warmUpText(meta);
  if (warmUp) page.prose(warmUp, "  ");
  if (options.length > 0) page.flow(["driven by", ...options], "  ", "  ");
  if (meta.abort_reason) page.prose(`stopped: ${meta.abort_reason}`, "  ");
}

/** As it is typed: `--until "p99 within 5%"`; an option without a value is on. */
function optionText([name, value]: readonly [string, unknown]): string {
  const flag = `--${name.replaceAll("_", "-")}`;
  if (value === true) return flag;
  const text = escapeControls(String(value));
  return `${flag} ${/[^\w.]/.test(text) ? JSON.stringify(text) : text}`;
}

function rates(page: Page, meta: RunMeta): void {
  const { completed, failed, throttled } = meta.iterations;
  const rate = (name: string, share: number, count: number) =>
    completed === 0
      ? `${name} - (no iteration ended)`
      : `${name} ${shareText(share)} (${outOf(count, completed)})`;
  page.flow([
    rate("error_rate", meta.error_rate, failed),
    rate("throttle_rate", meta.throttle_rate, throttled),
  ], "  ");
}

function latency(page: Page, meta: RunMeta): void {
  const { latency } = meta;
  if (latency.max === null) return page.line("  latency  no samples");
  const { latency_intervals: intervals } = meta;
  const figures = latencyFigures(latency);
  const few = figures.map(([name]) => name)
    .filter((name) => isTooFew(name, intervals));
  const parts = figures.filter(([name]) => !few.includes(name))
    .map(([name, ms]) => `${name} ${latencyText(ms)}`);
  if (few.length > 0) parts.push(`too few samples for ${few.join(" ")}`);
  page.flow([page.paint("dim", "latency"), ...parts], "  ", " ".repeat(11));
  const known = knownIntervals(intervals).map(({ name, low, high }) =>
    `${name} ${latencyText(low)} to ${latencyText(high)}`
  );
  if (known.length > 0) {
    page.flow(
      [page.paint("dim", "95% sure"), ...known],
      "  ",
      " ".repeat(12),
    );
  }
}

function thresholds(page: Page, meta: RunMeta): void {
  if (meta.thresholds.length === 0) return;
  page.heading("thresholds");
  const width = Math.max(
    ...meta.thresholds.map((each) => each.expression.length),
  );
  for (const each of meta.thresholds) {
    const sign = each.pass
      ? page.paint("green", "✓ held    ")
      : page.paint("red", "✗ breached");
    page.flow(
      [sign, each.expression.padEnd(width), actual(each, meta)],
      "    ",
      " ".repeat(16),
    );
  }
}

function actual(threshold: ThresholdVerdict, meta: RunMeta): string {
  const { metric, samples } = threshold;
  const text = actualText(threshold);
  if (threshold.actual === null) return text;
  const key = METRICS[metric].counts;
  if (!key) return `${text} (${samplesText(threshold)})`;
  const counts = threshold.step === undefined
    ? meta.iterations
    : meta.steps.find(({ id }) => id === threshold.step)!;
  return `${text} (${outOf(counts[key], samples)})`;
}

/** Generator, knee and notes: what a reader must know before trusting the figures. */
function findings(page: Page, meta: RunMeta): void {
  const { generator, knee, notes } = meta;
  const found = findingsOfFigures(meta);
  if (generator || knee || meta.drift || found.length + notes.length > 0) {
    page.line();
  }
  if (generator?.limited) page.prose(`! ${generator.detail}`, "  ", "yellow");
  else if (generator) page.prose(generator.detail, "  ");
  if (generator) withheld(page, generator);
  // One line at any width: scripts search for it.
  if (knee) page.line(`knee_point_found: ${knee.class}: ${knee.detail}`);
  for (const each of meta.drift ? driftSentences(meta.drift) : []) {
    page.prose(each, "  ");
  }
  for (const each of found) page.prose(`! ${each}`, "  ", "yellow");
  for (const note of notes) page.prose(`note: ${note}`, "  ");
}

/** Requests the run would have sent, but for a ceiling or for want of VUs. */
function withheld(page: Page, generator: GeneratorHealth): void {
  const { held_requests, held_ms, unserved_slots } = generator;
  if (held_requests > 0) {
    const count = plural(held_requests, "request");
    const text = `held back by the target's max_rps: ${count}, ${
      latencyText(held_ms)
    } in all`;
    page.prose(text, "  ");
  }
  if (unserved_slots > 0) {
    page.prose(
      `never sent: ${plural(unserved_slots, "due request")}`,
      "  ",
      "yellow",
    );
  }
}

function outOf(count: number, of: number): string {
  return `${countText(count)} of ${countText(of)}`;
}
