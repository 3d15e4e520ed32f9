import { BAD_OUTCOMES, OUTCOME_NAMES, OUTCOMES } from "../../model/outcome.ts";
import { escapeControls } from "../../base/text/display.ts";
import type { TypedValue } from "../../model/result/failure.ts";
import type {
  FailureGroup,
  LatencyFigure,
  OnceSummary,
  RowSummary,
  RunMeta,
} from "../../model/result/run.ts";
import { ONCE } from "../../model/result/trace.ts";
import { driftSentences } from "../report/drift_text.ts";
import {
  actualText,
  badRows,
  countText,
  doubtOf,
  findingsOfFigures,
  judgementsOf,
  latencyText,
  loadTexts,
  plural,
  rateCell,
  repeatedText,
  rowName,
  runEnd,
  shardsSentence,
  warmUpText,
} from "../report/figures.ts";
import { contractSentence, someOf, violationName } from "../report/contract.ts";
import { severalValues } from "../report/failure_texts.ts";
import { beforeSentence, besideReason, besideStop } from "../report/reason.ts";
import { exchangeLines } from "../failures/exchange.ts";
import { isTooFew, knownFigures, latencyCell } from "../report/sample_sizes.ts";
import { FLOW_HEADS, flowCells } from "./step_tables.ts";
import { optionTexts } from "./option_texts.ts";

/** A table, its cells as they are. */
export function table(
  heads: readonly string[],
  rows: readonly string[][],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)]
    .join("\n");
}

/** Prose from a target or a flow: nothing in it is markup, a link or a mention. */
export function words(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\\`*[\]<>|~&]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replaceAll("@", "@&#8203;");
}

/** Such prose with the names in backticks as code. */
function prose(text: string): string {
  return text.split(/(`[^`\n]+`)/).map((part, index) =>
    index % 2 === 1 ? code(part.slice(1, -1)) : words(part)
  ).join("");
}

/** A piece of code that may hold anything, in a table as well. */
export function code(text: string): string {
  return `<code>${words(text)}</code>`;
}

/** Failures shown one by one. */
const MOST = 20;

/**
 * A run as Markdown, for a pull request or a job's summary page.
 *
 * @param runDir the run's directory as the user can reach it
 */
export function renderMarkdown(meta: RunMeta, runDir: string): string {
  const { iterations } = meta;
  const options = optionTexts(meta);
  const warmUp = warmUpText(meta);
  const doubt = doubtOf(meta);
  const parts = [
    `## ${runEnd(meta).sentence} ${words(meta.flow)}${
      doubt === undefined ? "" : ` (⚠️ ${doubt})`
    }`,
    [
      `target ${code(meta.target)}`,
      `mode ${code(meta.mode)}`,
      plural(meta.vus, "VU"),
      latencyText(meta.duration_ms),
      plural(iterations.completed, "iteration"),
      plural(meta.requests, "request"),
    ].join(" · "),
    ...(options.length > 0
      ? [`Driven by ${options.map(code).join(" ")}.`]
      : []),
    ...(meta.abort_reason ? [`Stopped: ${prose(meta.abort_reason)}`] : []),
    ...why(meta),
    ...loadOf(meta),
    figures(meta),
    ...(warmUp ? [`${warmUp[0]!.toUpperCase()}${warmUp.slice(1)}.`] : []),
    ...thresholds(meta),
    ...ONCE.flatMap((list) => once(list, meta[list])),
    ...failures(meta),
    ...exchanges(meta),
    ...contract(meta),
    ...flows(meta),
    ...steps(meta),
    ...findings(meta),
    `Run ${code(runDir)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function why(meta: RunMeta): string[] {
  const before = beforeSentence(meta);
  const reason = besideStop(meta);
  return [
    ...judgementsOf(meta).map(({ kind, text }) =>
      `**${kind[0]!.toUpperCase()}${kind.slice(1)}:** ${prose(text)}`
    ),
    ...reason ? [`**Why:** ${prose(reason)}`] : [],
    ...before && meta.reason?.before
      ? [`${words(before)} ${code(meta.reason.before.id)}`]
      : [],
  ];
}

function loadOf(meta: RunMeta): string[] {
  const texts = loadTexts(meta);
  return texts.length === 0 ? [] : [texts.join(" · ")];
}

/** The latencies of a run that are shown, where they have the samples. */
const SHOWN = ["avg", "p50", "p90", "p95", "p99", "p99.9", "max"] as const;

function figures(meta: RunMeta): string {
  const { latency, latency_intervals: intervals } = meta;
  const names: readonly LatencyFigure[] = latency.max === null
    ? []
    : SHOWN.filter((name) =>
      latency[name] !== undefined && !isTooFew(name, intervals)
    );
  return table(
    ["error_rate", "throttle_rate", ...names],
    [[
      rateCell(meta, "error_rate"),
      rateCell(meta, "throttle_rate"),
      ...names.map((name) => latencyCell(name, latency, intervals)),
    ]],
  );
}

function thresholds(meta: RunMeta): string[] {
  if (meta.thresholds.length === 0) return [];
  const rows = meta.thresholds.map((each) => [
    each.pass ? "✅ held" : "❌ breached",
    code(each.expression),
    actualText(each),
    countText(each.samples),
  ]);
  return [
    "### Thresholds",
    table(["", "threshold", "actual", "samples"], rows),
  ];
}

/** How the responses fit the description of the API. */
function contract({ contract }: RunMeta): string[] {
  if (!contract) return [];
  const { description, violations, unreached } = contract;
  const rows = violations.slice(0, MOST).map((group) => [
    countText(group.count),
    code(violationName(group)),
    prose(group.message),
    words(group.steps.join(", ")),
    group.trace_id === undefined ? "" : code(group.trace_id),
  ]);
  const rest = violations.length - MOST;
  return [
    "### Contract",
    `${code(description)}: ${contractSentence(contract)}.`,
    ...(rows.length === 0
      ? []
      : [table(["", "operation", "violation", "steps", "trace"], rows)]),
    ...(rest > 0 ? [`And ${plural(rest, "more violation")}.`] : []),
    ...(unreached.length === 0
      ? []
      : [`Not reached: ${words(someOf(unreached, MOST))}.`]),
  ];
}

function failures(meta: RunMeta): string[] {
  const bad = meta.rows?.filter(({ outcome }) => outcome !== "passed") ?? [];
  if (bad.length > 0) {
    const rows = bad.slice(0, MOST).flatMap(rowLines);
    return [
      "### Rows that did not pass",
      table(["", "row", "step", "location", "cause"], rows),
      ...more(badRows(meta) - Math.min(bad.length, MOST), "row"),
    ];
  }
  if (meta.failures.length === 0) return [];
  const rows = byOutcome(meta).map((group) => [
    group.outcome,
    countText(group.count),
    ...cells(group),
  ]);
  return [
    "### What did not pass",
    table(["", "times", "step", "location", "cause"], rows),
    ...more(meta.failures.length - MOST, "cause"),
  ];
}

/** As many groups as are shown, failures before throttles. */
function byOutcome({ failures }: RunMeta): FailureGroup[] {
  return BAD_OUTCOMES.flatMap((each) =>
    failures.filter(({ outcome }) => outcome === each)
  ).slice(0, MOST);
}

function once(
  list: (typeof ONCE)[number],
  summary: OnceSummary | undefined,
): string[] {
  if (!summary) return [];
  const { outcome, steps, duration_ms, failures } = summary;
  const text = `\`${list}\` ${outcome}: ${plural(steps.length, "step")}, ${
    latencyText(duration_ms)
  }`;
  if (failures.length === 0) return [text];
  return [text, table(["step", "location", "cause"], failures.map(cells))];
}

/** One exchange of each group, with the trace that has all of it. */
function exchanges(meta: RunMeta): string[] {
  const once = ONCE.flatMap((list) => meta[list]?.failures ?? []);
  return [...once, ...byOutcome(meta)].slice(0, MOST).flatMap((group) => {
    const { exchange, step, message, trace_id } = group;
    if (!exchange) return [];
    const trace = trace_id === undefined ? "" : ` (trace ${code(trace_id)})`;
    const lines = exchangeLines(exchange).map(words).join("\n");
    return [
      `${code(step)}: ${prose(message)}${trace}`,
      `<pre>${lines}</pre>`,
    ];
  });
}

/** A line for each failure of a row. */
function rowLines(row: RowSummary): string[][] {
  const { outcome, failures, other_failures: others = 0 } = row;
  const head = [outcome, words(rowName(row))];
  const lines = failures.map((each) => [...head, ...cells(each)]);
  if (lines.length === 0) return [[...head, "", "", ""]];
  return others === 0
    ? lines
    : [...lines, [...head, "", "", `and ${plural(others, "more failure")}`]];
}

function cells(failure: FailureGroup): string[] {
  const { step, file, line, message, expected, actual } = failure;
  const several = severalValues(failure);
  const values = [
    ...(expected ? [`expected ${value(expected)}`] : []),
    ...(actual
      ? [`actual ${several === undefined ? value(actual) : code(several)}`]
      : []),
  ].join(", ");
  return [
    code(step),
    file === undefined ? "" : code(`${file}:${line}`),
    values === "" ? prose(message) : `${prose(message)} (${values})`,
  ];
}

function value({ type, text, operator }: TypedValue): string {
  const parts = [operator, type, text].filter((part) => part);
  return code(parts.join(" "));
}

function more(count: number, noun: string): string[] {
  return count > 0 ? [`and ${plural(count, `more ${noun}`)}`] : [];
}

function steps(meta: RunMeta): string[] {
  if (meta.steps.length === 0) return [];
  const retries = meta.steps.some((step) => repeatedText(step) !== "");
  const latencies = knownFigures(["p50", "p95", "max"], meta.steps);
  const rows = meta.steps.map((step) => [
    code(step.id),
    countText(step.requests),
    ...OUTCOME_NAMES.map((outcome) => countText(step[outcome])),
    ...(retries ? [repeatedText(step) || "0"] : []),
    ...latencies.map((name) =>
      latencyCell(name, step.latency, step.latency_intervals)
    ),
  ]);
  const heads = [
    "step",
    "requests",
    ...OUTCOME_NAMES.map((outcome) => OUTCOMES[outcome].column),
    ...(retries ? ["retried"] : []),
    ...latencies,
  ];
  return ["### Steps", table(heads, rows)];
}

function flows({ flows = [] }: RunMeta): string[] {
  if (flows.length === 0) return [];
  const rows = flows.map((each) => [code(each.name), ...flowCells(each)]);
  return [
    "### Flows, by the time of an iteration",
    table(["flow", ...FLOW_HEADS], rows),
  ];
}

function findings(meta: RunMeta): string[] {
  const { generator, knee, drift, shards } = meta;
  return [
    ...(shards ? [shardsSentence(shards)] : []),
    ...(knee ? [`Knee point: **${knee.class}**: ${words(knee.detail)}`] : []),
    ...(generator?.limited ? [`⚠️ ${prose(generator.detail)}`] : []),
    ...(drift ? driftSentences(drift) : []).map(words),
    ...findingsOfFigures(meta).map((each) => `⚠️ ${prose(each)}`),
    ...besideReason(meta).map((note) => `Note: ${prose(note)}`),
  ];
}
