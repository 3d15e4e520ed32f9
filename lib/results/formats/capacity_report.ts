import type { Capacity, CapacityTrial } from "../../model/result/findings.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { capacitySentence, isShort } from "../report/sentences.ts";
import { latencyText, shareText } from "../report/figures.ts";
import { sum } from "../../base/values/sum.ts";
import { renderSuite } from "./junit_xml.ts";
import { code, table, words } from "./markdown_parts.ts";
import { escapeControls } from "../../base/text/display.ts";
import { Page } from "./page.ts";

/** The run that shows a capacity. */
type Shown = Pick<RunMeta, "id" | "flow" | "target" | "started_at">;

/**
 * A capacity as JUnit XML: one test case, which fails when no level held, or none as
 * high as expected. What broke above the bound was looked for, and is no failure.
 */
export function capacityJunit(
  { id, flow, started_at }: Shown,
  capacity: Capacity,
): string {
  const { unit, lower, upper, least, cause, trials } = capacity;
  const durationMs = sum(trials, ({ duration_ms }) => duration_ms);
  const message = capacitySentence(capacity);
  return renderSuite({
    name: flow,
    timestamp: started_at,
    durationMs,
    properties: [
      ["run", id],
      ["unit", unit],
      ["lower", lower === null ? "" : String(lower)],
      ["upper", upper === null ? "" : String(upper)],
      ...least === undefined ? [] : [["least", String(least)] as const],
      ["cause", cause],
    ],
    cases: [{
      name: "capacity",
      seconds: durationMs / 1_000,
      ...(isShort(capacity) && {
        verdict: {
          element: "failure",
          type: lower === null ? "no-level-held" : "below-least",
          message,
          text: cause,
        },
      }),
    }],
  });
}

/** A capacity as Markdown, for a pull request or a job's summary page. */
export function capacityMarkdown(
  { id, flow, target }: Shown,
  capacity: Capacity,
): string {
  const { upper, cause, trials } = capacity;
  const heads = ["level", "requests/s", "p50", "p95", "errors", "throttled"];
  const rows = trials.toSorted((a, b) => a.level - b.level).map(rowOf);
  const parts = [
    `## ${isShort(capacity) ? "❌" : "✅"} ${words(flow)}: ${
      capacitySentence(capacity)
    }`,
    `${upper === null ? "No upper bound" : "Above"}: ${words(cause)}.`,
    table([...heads, "outcome"], rows),
    `Against ${code(target)}; run ${code(id)}.`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function rowOf(trial: CapacityTrial): string[] {
  const { level, p50, p95, held, limited } = trial;
  const text = (ms: number | null) => ms === null ? "-" : latencyText(ms);
  return [
    String(level),
    String(trial.requests_per_second),
    text(p50),
    text(p95),
    shareText(trial.error_rate),
    shareText(trial.throttle_rate),
    limited ? "⚠️ generator" : held ? "✅ held" : "❌ broke",
  ];
}

/** What a target can take, and a line a trial in the order of their levels. */
export function renderCapacity(
  flow: string,
  capacity: Capacity,
  { color, width, directory }: {
    readonly color: boolean;
    readonly width: number;
    readonly directory: string;
  },
): string {
  const page = new Page(width, color);
  page.line(
    `${page.paint("bold", escapeControls(flow))}  ${
      capacitySentence(capacity)
    }`,
  );
  const { upper, cause, trials } = capacity;
  page.prose(`${upper === null ? "no upper bound" : "above"}: ${cause}`, "  ");
  page.line();
  const heads = ["level", "requests/s", "p50", "p95", "errors", "throttled"];
  const text = (ms: number | null) => ms === null ? "-" : latencyText(ms);
  const rows = trials.toSorted((a, b) => a.level - b.level).map((each) => [
    String(each.level),
    String(each.requests_per_second),
    text(each.p50),
    text(each.p95),
    shareText(each.error_rate),
    shareText(each.throttle_rate),
    each.limited ? "! generator" : each.held ? "held" : "broke",
  ]);
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...rows.map((row) => row[i]!.length))
  );
  const line = (cells: readonly string[]) =>
    `    ${cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  ")}`;
  page.line(page.paint("dim", line(heads)));
  for (const row of rows) page.line(line(row));
  page.line();
  page.line(`  run  ${directory}`);
  return page.text();
}
