import { escapeControls } from "../../base/text/display.ts";
import type { Capacity } from "../../model/result/capacity.ts";
import { capacitySentence } from "../report/capacity_sentence.ts";
import { latencyText, shareText } from "../report/figures.ts";
import { Page } from "./page.ts";

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
