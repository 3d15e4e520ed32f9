import { escapeControls } from "../../base/text/display.ts";
import type { RunMeta } from "../../model/result/run.ts";

/** The options that changed how a run was driven, as they are typed: `--until "p99 within 5%"`. */
export function optionTexts({ options = {} }: RunMeta): string[] {
  return Object.entries(options).map(optionText);
}

/** One without a value is on. A program alone asks for one row, and there is no flag for that. */
function optionText([name, value]: readonly [string, unknown]): string {
  if (name === "row") return `row ${Number(value) + 1}`;
  const flag = `--${name.replaceAll("_", "-")}`;
  if (value === true) return flag;
  const text = escapeControls(String(value));
  return `${flag} ${/[^\w.]/.test(text) ? JSON.stringify(text) : text}`;
}
