import { sum } from "../../base/values/sum.ts";
import { escapeControls } from "../../base/text/display.ts";
import type { RowSummary, RunMeta } from "../../model/result/run.ts";
import {
  actualText,
  countText,
  latencyText,
  plural,
  runEnd,
} from "../report/figures.ts";
import { failureText } from "./failure_list.ts";
import { missingSuite, renderSuites, runSuite } from "./junit.ts";
import { code, renderMarkdown, table, words } from "./markdown.ts";
import { Page } from "./page.ts";
import { viewCommand } from "./text.ts";

/* Several flows that were checked together, each in a run of its own. */

/** One of them. */
export interface SuiteRun {
  readonly meta: RunMeta;
  /** The run's directory as the user can reach it. */
  readonly directory: string;
  /** Texts of its flow file; failures show their line. */
  readonly sources: ReadonlyMap<string, string>;
}

/** One without a run. */
export interface MissingRun {
  readonly flow: string;
  readonly file: string;
  /** Whether its run ended in an error; else the runs were stopped before it. */
  readonly begun: boolean;
}

const passed = ({ meta }: SuiteRun) =>
  meta.status === "finished" && meta.verdict === "pass";

/** Why there is no run of it. */
const whyMissing = ({ begun }: MissingRun) =>
  begun ? "could not be run" : "not begun";

/** The name of a flow, with its file where another flow has the same name. */
function nameOf(
  { flow, file }: Pick<MissingRun, "flow" | "file">,
  runs: readonly SuiteRun[],
  missing: readonly MissingRun[],
): string {
  const shared = [...runs.map(({ meta }) => meta), ...missing]
    .filter((each) => each.flow === flow).length > 1;
  return shared ? `${flow} (${file})` : flow;
}

/** `2 of 3 flows passed`. */
function sentence(runs: readonly SuiteRun[], notRun: number): string {
  const count = runs.filter(passed).length;
  const all = runs.length + notRun;
  const text = `${countText(count)} of ${plural(all, "flow")} passed`;
  return notRun === 0 ? text : `${text}, ${countText(notRun)} not run`;
}

/** The summary of all: a line a flow, then what did not pass in each. */
export function renderSuiteSummary(
  runs: readonly SuiteRun[],
  missing: readonly MissingRun[],
  { color, width }: { readonly color: boolean; readonly width: number },
): string {
  const page = new Page(width, color);
  const good = missing.length === 0 && runs.every(passed);
  page.flow([
    page.paint("bold", sentence(runs, missing.length)),
    page.paint(good ? "green" : "red", good ? "✓ PASS" : "✗ FAIL"),
    plural(sum(runs, ({ meta }) => meta.iterations.completed), "iteration"),
    plural(sum(runs, ({ meta }) => meta.requests), "request"),
  ], "");
  page.line();
  page.table(
    ["flow", "", "iterations", "failed", "time"],
    [
      ...runs.map(({ meta }) => {
        const { summary, color } = runEnd(meta);
        const { flow, flow_file: file } = meta;
        return [
          escapeControls(nameOf({ flow, file }, runs, missing)),
          page.paint(color, summary),
          countText(meta.iterations.completed),
          countText(meta.iterations.completed - meta.iterations.passed),
          latencyText(meta.duration_ms),
        ];
      }),
      ...missing.map((each) => [
        escapeControls(nameOf(each, runs, missing)),
        page.paint("red", whyMissing(each)),
        ...["-", "-", "-"],
      ]),
    ],
    [0, 1],
  );
  for (const each of runs) if (!passed(each)) whyNot(page, each);
  const [first] = runs;
  if (first) {
    page.line();
    page.line(`  view ${viewCommand(first.directory)}`);
  }
  return page.text();
}

function whyNot(page: Page, { meta, directory, sources }: SuiteRun): void {
  page.line();
  page.flow([
    page.paint("bold", escapeControls(meta.flow)),
    escapeControls(meta.flow_file),
  ], "");
  if (meta.abort_reason) page.prose(`stopped: ${meta.abort_reason}`, "  ");
  for (const each of meta.thresholds) {
    if (each.pass || each.implied) continue;
    const actual = actualText(each);
    const sign = page.paint("red", "✗ breached");
    page.flow([sign, each.expression, actual], "    ");
  }
  failureText(page, meta, sources);
  if (meta.notes.length > 0) page.line();
  for (const note of meta.notes) page.prose(`note: ${note}`, "  ");
  page.line(`  run  ${directory}`);
}

/** Suites of all flows in one JUnit file. @param rows every row of each run */
export function renderSuiteJunit(
  runs: readonly (SuiteRun & { readonly rows?: readonly RowSummary[] })[],
  missing: readonly MissingRun[],
): string {
  return renderSuites([
    ...runs.map(({ meta, rows }) => ({
      ...runSuite(meta, rows ?? meta.rows),
      name: nameOf({ flow: meta.flow, file: meta.flow_file }, runs, missing),
    })),
    ...missing.map((each) => ({
      ...missingSuite(each.flow, each.begun),
      name: nameOf(each, runs, missing),
    })),
  ]);
}

/** A table of all flows, and the report of each that did not pass. */
export function renderSuiteMarkdown(
  runs: readonly SuiteRun[],
  missing: readonly MissingRun[],
): string {
  const good = missing.length === 0 && runs.every(passed);
  const rows = runs.map((each) => {
    const { flow, flow_file, iterations, duration_ms } = each.meta;
    return [
      passed(each) ? "✅" : "❌",
      words(flow),
      code(flow_file),
      countText(iterations.completed),
      countText(iterations.completed - iterations.passed),
      latencyText(duration_ms),
    ];
  });
  const parts = [
    `## ${good ? "✅ Passed" : "❌ Failed"}: ${sentence(runs, missing.length)}`,
    table(["", "flow", "file", "iterations", "failed", "time"], [
      ...rows,
      ...missing.map((each) => [
        "❌",
        words(each.flow),
        code(each.file),
        whyMissing(each),
        ...["-", "-"],
      ]),
    ]),
    ...runs.filter((each) => !passed(each)).map(({ meta, directory }) =>
      renderMarkdown(meta, directory).trimEnd()
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}
