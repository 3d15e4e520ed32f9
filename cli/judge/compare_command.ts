import { EXIT } from "../../lib/base/errors/exit.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import { readComparable } from "../../lib/results/comparison/comparable.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import {
  renderComparison,
  renderComparisonJunit,
  renderComparisonMarkdown,
} from "../../lib/results/formats/comparison_report.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import type { Console } from "../terminal/console.ts";
import { failWith, refuseRequest } from "../terminal/fail.ts";
import { putReports } from "../run/run_reports.ts";
import type { ReportFlags } from "../options/shared_options.ts";
import type { CompareFlags } from "./judging_options.ts";
import { runOfStore } from "../options/run_of_store.ts";

/** Compares a stored run with others. Returns the exit code: 1 when it is worse. */
export async function compareCommand(
  candidate: string,
  flags: CompareFlags,
  console: Console,
): Promise<number> {
  try {
    const runs = await readComparable(
      runOfStore(candidate, flags.store),
      flags.with.map((each) => runOfStore(each, flags.store)),
      systemClock.wall(),
      { targets: flags.acrossTargets ?? false },
    );
    const { margin } = flags;
    const compared = compareRuns(runs.candidate, runs.bases, { margin });
    return await showComparison(compared, flags, console);
  } catch (error) {
    // What cannot be read or compared was asked for wrongly.
    if (error instanceof StoreError) {
      return refuseRequest(console, error.message, error.hint);
    }
    return failWith(error, console, "text");
  }
}

/** Prints a comparison and writes the reports asked for. Returns the exit code. */
export async function showComparison(
  comparison: RunComparison,
  flags: ReportFlags & { readonly json?: boolean },
  console: Console,
): Promise<number> {
  if (flags.json) console.out(`${JSON.stringify(comparison, null, 2)}\n`);
  else {
    const { outColor: color, width } = console;
    console.print(renderComparison(comparison, { color, width }));
  }
  const written = await putReports(
    {
      junit: () => renderComparisonJunit(comparison),
      markdown: () => renderComparisonMarkdown(comparison),
    },
    flags,
    console,
  );
  if (comparison.verdict === "worse") return EXIT.verdictFailed;
  return written ? EXIT.held : EXIT.errored;
}
