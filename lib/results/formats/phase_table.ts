import type { RunMeta } from "../../model/result/run.ts";
import { STEP_PHASES } from "../../model/result/step_phases.ts";
import { escapeControls } from "../../base/text/display.ts";
import { countText, latencyText } from "../report/figures.ts";
import { isTooFewOf } from "../report/sample_sizes.ts";
import type { Page } from "./page.ts";

const FIGURES = ["avg", "p50", "p95", "p99", "max"] as const;

/** Where the time of each step went: a row for each phase that happened. */
export function phaseTable(page: Page, { steps }: RunMeta): void {
  const rows = steps.flatMap(({ id, phases = {} }) =>
    STEP_PHASES.flatMap((name) => {
      const phase = phases[name];
      if (!phase) return [];
      const figures = FIGURES.map((each) =>
        isTooFewOf(each, phase.count) ? "too few" : latencyText(phase[each])
      );
      return [[escapeControls(id), name, countText(phase.count), ...figures]];
    })
  );
  if (rows.length === 0) return;
  const heads = ["phases", "", "count", ...FIGURES];
  const widths = heads.map((head, i) =>
    Math.max(
      head.length - (i === 0 ? 2 : 0),
      ...rows.map((row) => row[i]!.length),
    )
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) =>
      i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)
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
