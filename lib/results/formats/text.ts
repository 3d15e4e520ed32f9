import { dirname } from "../../base/values/paths.ts";
import { padColumns, textColumns } from "../../base/text/columns.ts";
import { escapeControls, shellWord } from "../../base/text/display.ts";
import { METRICS } from "../../model/metrics.ts";
import type {
  GeneratorHealth,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import { driftSentences } from "../report/drift_text.ts";
import {
  actualText,
  countText,
  findingsOfFigures,
  latencyText,
  loadTexts,
  plural,
  rateCell,
  runEnd,
  samplesText,
  warmUpText,
} from "../report/figures.ts";
import {
  isTooFew,
  knownIntervals,
  latencyFigures,
} from "../report/sample_sizes.ts";
import { contractText } from "./contract_text.ts";
import { beforeSentence, besideReason, besideStop } from "../report/reason.ts";
import { failureText } from "./failure_list.ts";
import { optionTexts } from "./option_texts.ts";
import { Page } from "./page.ts";
import { phaseTable, stepTable } from "./step_tables.ts";

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
  why(page, meta);
  rates(page, meta);
  const load = loadTexts(meta);
  if (load.length > 0) page.flow(load, "  ");
  latency(page, meta);
  thresholds(page, meta);
  stepTable(page, meta);
  if (options.verbose) phaseTable(page, meta);
  failureText(page, meta, options.sources);
  contractText(page, meta);
  findings(page, meta);
  if (options.runDir !== undefined) wayToRun(page, options.runDir);
  return page.text();
}

function wayToRun(page: Page, runDir: string): void {
  page.line();
  page.line(`  run  ${runDir}`);
  page.line(`  view ${viewCommand(runDir)}`);
}

/** The command that shows a run, as a shell takes it. */
export function viewCommand(runDir: string): string {
  return `bench serve --store ${shellWord(dirname(runDir))}`;
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
  const options = optionTexts(meta);
  const warmUp = warmUpText(meta);
  if (warmUp) page.prose(warmUp, "  ");
  if (options.length > 0) page.flow(["driven by", ...options], "  ", "  ");
  if (meta.abort_reason) page.prose(`stopped: ${meta.abort_reason}`, "  ");
}

/** The reason first; what stopped a run is said already. */
function why(page: Page, meta: RunMeta): void {
  const reason = besideStop(meta);
  if (reason) page.prose(`why: ${reason}`, "  ", "red");
  const before = beforeSentence(meta);
  if (before) page.prose(before, "  ");
}

function rates(page: Page, meta: RunMeta): void {
  const { completed, failed, throttled } = meta.iterations;
  const rate = (name: "error_rate" | "throttle_rate", count: number) =>
    `${name} ${rateCell(meta, name)} (${
      completed === 0 ? "no iteration ended" : outOf(count, completed)
    })`;
  page.flow(
    [rate("error_rate", failed), rate("throttle_rate", throttled)],
    "  ",
  );
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
    ...meta.thresholds.map((each) => textColumns(each.expression)),
  );
  for (const each of meta.thresholds) {
    const sign = each.pass
      ? page.paint("green", "✓ held    ")
      : page.paint("red", "✗ breached");
    page.flow(
      [sign, padColumns(each.expression, width), actual(each)],
      "    ",
      " ".repeat(16),
    );
  }
}

function actual(threshold: ThresholdVerdict): string {
  const { metric, samples, actual: value } = threshold;
  const text = actualText(threshold);
  if (value === null) return text;
  return `${text} (${
    METRICS[metric].counts
      ? outOf(Math.round(value * samples), samples)
      : samplesText(threshold)
  })`;
}

/** Generator, knee and notes: what a reader must know before trusting the figures. */
function findings(page: Page, meta: RunMeta): void {
  const { generator, knee } = meta;
  const notes = besideReason(meta);
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
      `never sent: ${
        plural(unserved_slots, "due request")
      }, because no VU was free`,
      "  ",
      "yellow",
    );
  }
}

function outOf(count: number, of: number): string {
  return `${countText(count)} of ${countText(of)}`;
}
