import { OUTCOME_NAMES, OUTCOMES } from "../../model/outcome.ts";
import type {
  FlowSummary,
  LatencyFigure,
  RunMeta,
  StepSummary,
} from "../../model/result/run.ts";
import {
  countText,
  latencyText,
  rateCell,
  repeatedText,
} from "../report/figures.ts";
import {
  isTooFewOf,
  knownFigures,
  latencyCell,
} from "../report/sample_sizes.ts";
import { padColumns, textColumns } from "../../base/text/columns.ts";
import { escapeControls, shortened } from "../../base/text/display.ts";
import type { Page, Style } from "./page.ts";
import { STEP_PHASES } from "../../model/result/latency.ts";

/** One column. Columns that do not fit are left out from the highest rank down. */
interface Column {
  readonly title: string;
  readonly rank: number;
  readonly style?: Style;
  /** Whether it says anything about this run; always when absent. */
  shown?(meta: RunMeta): boolean;
  cell(step: StepSummary): string;
}

const COLUMNS: readonly Column[] = [
  { title: "reqs", rank: 0, cell: (step) => countText(step.requests) },
  ...OUTCOME_NAMES.map((outcome): Column => ({
    title: OUTCOMES[outcome].column,
    rank: 0,
    ...(OUTCOMES[outcome].tone && { style: OUTCOMES[outcome].color }),
    cell: (step) => countText(step[outcome]),
  })),
  {
    title: "retried",
    rank: 0,
    style: "yellow",
    shown: ({ steps }) => steps.some((step) => repeatedText(step) !== ""),
    cell: (step) => repeatedText(step) || "0",
  },
  percentile("p50", 1),
  percentile("p95", 0),
  percentile("p99", 2),
  { title: "max", rank: 3, cell: latency("max") },
  {
    title: "http",
    rank: 4,
    // gRPC has no choice; every other kind speaks 1.1 unless it is said.
    shown: ({ steps }) =>
      steps.some((step) =>
        step.kind !== "grpc" && step.http_versions.includes("2")
      ),
    cell: ({ http_versions }) => http_versions.join(" ") || "-",
  },
];

const LONGEST_ID = 32;
const INDENT = "    ";

/** One row per flow of a mix, and one per step. */
export function stepTable(page: Page, meta: RunMeta): void {
  flowTable(page, meta);
  if (meta.steps.length === 0) return;
  const ids = cut(meta.steps.map((step) => escapeControls(step.id)));
  const first = Math.max("steps".length, ...ids.map(textColumns));
  const columns = fitting(page.width - INDENT.length - first, meta);
  const heads = columns.map(({ title, width }) => title.padStart(width));
  page.line();
  page.line(
    `  ${page.paint("bold", "steps")}${" ".repeat(first - 3)}` +
      page.paint("dim", heads.join("")),
  );
  meta.steps.forEach((step, index) => {
    const cells = columns.map(({ cell, width, style }) => {
      const text = cell(step).padStart(width);
      return style && text.trim() !== "0" ? page.paint(style, text) : text;
    });
    page.line(INDENT + padColumns(ids[index]!, first) + cells.join(""));
  });
}

/** The cells of a flow of a mix: iterations, rates, iteration time. */
export function flowCells(flow: FlowSummary): string[] {
  const { iterations: { completed }, iteration_time: time } = flow;
  return [
    countText(completed),
    rateCell(flow, "error_rate"),
    rateCell(flow, "throttle_rate"),
    iterationTimeCell("p50", flow),
    iterationTimeCell("p95", flow),
    time.max === null ? "-" : latencyText(time.max),
  ];
}

/** A percentile of the iterations of a flow of a mix. */
export function iterationTimeCell(
  name: "p50" | "p95",
  { iterations: { completed }, iteration_time: time }: FlowSummary,
): string {
  return isTooFewOf(name, completed) || time[name] === null
    ? "too few"
    : latencyText(time[name]);
}

/** The heads over those cells. */
export const FLOW_HEADS: readonly string[] = [
  ...["iterations", "error_rate", "throttle_rate", "p50", "p95", "max"],
];

/** One row per flow of a mix. */
function flowTable(page: Page, { flows = [] }: RunMeta): void {
  if (flows.length === 0) return;
  const names = cut(flows.map(({ name }) => escapeControls(name)));
  page.heading("flows, by the time of an iteration");
  page.table(
    ["", ...FLOW_HEADS],
    flows.map((each, i) => [names[i]!, ...flowCells(each)]),
    [0],
  );
}

/** Left out where no step has enough samples for it. */
function percentile(name: "p50" | "p95" | "p99", rank: number): Column {
  return {
    title: name,
    rank,
    shown: ({ steps }) => knownFigures([name], steps).length > 0,
    cell: latency(name),
  };
}

function latency(name: LatencyFigure) {
  return ({ latency, latency_intervals }: StepSummary) =>
    latencyCell(name, latency, latency_intervals);
}

function fitting(room: number, meta: RunMeta) {
  const shown = COLUMNS.filter((column) => column.shown?.(meta) ?? true);
  let columns = shown.map((column) => ({
    ...column,
    width: 2 + Math.max(
      column.title.length,
      ...meta.steps.map((step) => column.cell(step).length),
    ),
  }));
  for (const rank of [4, 3, 2, 1]) {
    const taken = columns.reduce((sum, { width }) => sum + width, 0);
    if (taken > room) columns = columns.filter((each) => each.rank < rank);
  }
  return columns;
}

/**
 * Names that are too long lose their end. Where several begin alike, as ids made
 * of a path do, they lose their middle instead, and nothing where that does not
 * distinguish them either.
 */
function cut(names: readonly string[]): string[] {
  const ends = distinct(
    names,
    names.map((name) => shortened(name, LONGEST_ID)),
  );
  return distinct(names, ends.map((end, i) => end ?? withoutMiddle(names[i]!)))
    .map((text, i) => text ?? names[i]!);
}

/** Texts for `names`, without those that several names have. */
function distinct(
  names: readonly string[],
  texts: readonly string[],
): (string | undefined)[] {
  const owners = new Map<string, Set<string>>();
  names.forEach((name, i) => {
    const of = owners.get(texts[i]!);
    if (of) of.add(name);
    else owners.set(texts[i]!, new Set([name]));
  });
  return texts.map((text) => owners.get(text)!.size > 1 ? undefined : text);
}

function withoutMiddle(name: string): string {
  const end = name.slice(name.length - LONGEST_ID / 2)
    .replace(/^[\udc00-\udfff]/, "");
  return shortened(name, LONGEST_ID / 2) + end;
}

const FIGURES = ["avg", "p50", "p95", "p99", "max"] as const;

/** Where the time of each step went: a row for each phase that happened. */
export function phaseTable(page: Page, { steps }: RunMeta): void {
  const ids = cut(steps.map(({ id }) => escapeControls(id)));
  const rows = steps.flatMap(({ phases = {} }, i) =>
    STEP_PHASES.flatMap((name) => {
      const phase = phases[name];
      if (!phase) return [];
      const figures = FIGURES.map((each) =>
        isTooFewOf(each, phase.count) ? "too few" : latencyText(phase[each])
      );
      return [[ids[i]!, name, countText(phase.count), ...figures]];
    })
  );
  if (rows.length === 0) return;
  const heads = ["phases", "", "count", ...FIGURES];
  const widths = heads.map((head, i) =>
    Math.max(
      head.length - (i === 0 ? 2 : 0),
      ...rows.map((row) => textColumns(row[i]!)),
    )
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) =>
      i < 2 ? padColumns(cell, widths[i]!) : cell.padStart(widths[i]!)
    ).join("  ");
  page.line();
  page.line(
    `  ${page.paint("bold", "phases")}${
      line(["", ...heads.slice(1)]).slice(4)
    }`,
  );
  rows.forEach((row, i) => {
    // A step is named once.
    const [id, ...rest] = row;
    page.line(`    ${line([rows[i - 1]?.[0] === id ? "" : id!, ...rest])}`);
  });
}
