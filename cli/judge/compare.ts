import { EXIT } from "../../lib/base/errors/bench_error.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { Environment } from "../../lib/compile.ts";
import { readComparable } from "../../lib/results/comparison/evidence.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import { addJudgement } from "../../lib/results/store/run_writer.ts";
import {
  judgementOf,
  renderComparison,
  renderComparisonJunit,
  renderComparisonMarkdown,
} from "../../lib/results/formats/comparison_report.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import type { FlagsOf } from "../options/option.ts";
import type { ReportFlags } from "../options/shared_options.ts";
import { ofStored, StoreError } from "../../lib/results/store/layout.ts";
import { runOfStore, storeDirectory } from "../options/store.ts";
import { showResult } from "../run/show_result.ts";
import type { Console } from "../terminal/console.ts";
import type { COMPARE, COMPARING } from "./judging_options.ts";

/** Compares a stored run with others. Returns the exit code: 1 when it is worse. */
export async function compareCommand(
  candidate: string,
  flags: FlagsOf<typeof COMPARE>,
  console: Console,
): Promise<number> {
  const comparison = await compareStored(
    candidate,
    flags.with,
    { ...flags, environment: systemEnvironment },
    console,
  );
  return await showComparison(comparison, flags, console);
}

/** Stores a verdict with the runs of a store that took part. */
export function storeDuel(
  storeDir: string,
  comparison: RunComparison,
  console: Console,
): Promise<void> {
  const dirs = [comparison.candidate, ...comparison.bases]
    .map(({ id }) => `${storeDir}/${id}`);
  return storeJudgement(dirs, comparison, console);
}

/** Stores a verdict with the runs that took part; what cannot be written is said. */
async function storeJudgement(
  dirs: readonly string[],
  comparison: RunComparison,
  console: Console,
): Promise<void> {
  const judgement = judgementOf(comparison);
  for (const dir of dirs) {
    try {
      await addJudgement(dir, judgement);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      console.err(`note: the verdict is not stored: ${error.message}\n`);
    }
  }
}

/**
 * A stored run beside others; the verdict is stored with all of them.
 *
 * @throws {Refused} for runs that cannot be read or compared
 */
export async function compareStored(
  candidate: string,
  others: readonly string[],
  { store, margin, acrossTargets = false, environment: { env } }:
    & FlagsOf<typeof COMPARING>
    & { readonly environment: Environment },
  console: Console,
): Promise<RunComparison> {
  const storeDir = storeDirectory(store, env);
  const dirOf = (each: string) => runOfStore(each, storeDir);
  const comparison = await ofStored(async () => {
    const runs = await readComparable(
      dirOf(candidate),
      others.map(dirOf),
      systemClock.wall(),
      { targets: acrossTargets },
    );
    return compareRuns(runs.candidate, runs.bases, { margin });
  });
  await storeJudgement([candidate, ...others].map(dirOf), comparison, console);
  return comparison;
}

/** Prints a comparison and writes the reports asked for. Returns the exit code. */
export async function showComparison(
  comparison: RunComparison,
  flags: ReportFlags & { readonly json?: boolean },
  console: Console,
): Promise<number> {
  const written = await showResult(
    {
      data: comparison,
      text: (style) => renderComparison(comparison, style),
      junit: () => renderComparisonJunit(comparison),
      markdown: () => renderComparisonMarkdown(comparison),
    },
    flags,
    console,
  );
  if (comparison.verdict === "worse") return EXIT.verdictFailed;
  return written ? EXIT.held : EXIT.errored;
}
