import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/time_axis.ts";

/** Where every chart over time shows that the run broke. */
export function kneeMarks(
  { knee }: RunMeta,
): { readonly label: string; readonly at: number }[] {
  if (!knee || knee.at_ms === null) return [];
  const at = knee.at_ms / 1_000;
  return [{ label: `knee at ${timeText(at)}`, at }];
}
