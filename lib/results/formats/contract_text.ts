import { escapeControls } from "../../base/text/display.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { contractSentence, someOf, violationName } from "../report/contract.ts";
import { valuesText } from "../report/failure_texts.ts";
import { countText, plural } from "../report/figures.ts";
import type { Page } from "./page.ts";

/** Groups shown in full. */
const MOST = 20;
const MOST_OPERATIONS = 10;
const INDENT = "        ";

/** How the responses fit the description of the API. */
export function contractText(page: Page, { contract }: RunMeta): void {
  if (!contract) return;
  const { description, violations, other_violations, unreached, undescribed } =
    contract;
  const warns = contract.contract === "warn";
  page.heading("contract");
  page.prose(
    `${escapeControls(description)}: ${contractSentence(contract)}`,
    "    ",
  );
  for (const group of violations.slice(0, MOST)) {
    const sign = warns ? page.paint("yellow", "!") : page.paint("red", "✗");
    page.flow([
      `${sign} ${countText(group.count)} ×`,
      page.paint("bold", escapeControls(violationName(group))),
    ], "    ");
    page.prose(group.message, INDENT);
    for (const each of valuesText(group)) page.prose(each, INDENT);
    const where = [
      `step ${group.steps.map(escapeControls).join(", ")}`,
      ...(group.trace_id === undefined ? [] : [`trace ${group.trace_id}`]),
    ];
    page.flow(where, INDENT);
  }
  const hidden = Math.max(0, violations.length - MOST);
  if (hidden > 0) page.line(`    and ${plural(hidden, "more violation")}`);
  if (other_violations > 0) {
    page.line(
      `    and ${plural(other_violations, "violation")} of other kinds`,
    );
  }
  if (unreached.length > 0) {
    const names = someOf(unreached.map(escapeControls), MOST_OPERATIONS);
    page.prose(`not reached: ${names}`, "    ");
  }
  if (undescribed.length > 0) {
    const names = someOf(undescribed.map(escapeControls), MOST_OPERATIONS);
    page.prose(`not described: what step ${names} requests`, "    ");
  }
}
