import { EXIT } from "../lib/base/errors/exit.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import {
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "../lib/compile.ts";
import { exitCodeOf } from "../lib/results/report/exit_code.ts";
import { compareRuns } from "../lib/results/comparison/compare_runs.ts";
import { readEvidence } from "../lib/results/comparison/evidence.ts";
import type { HttpChoice } from "../lib/model/result/http_version.ts";
import type { StoredOutcome } from "../lib/run.ts";
import { attendedRun } from "./attended_run.ts";
import { Barrier } from "./barrier.ts";
import { showComparison } from "./compare_command.ts";
import type { Console } from "./console.ts";
import { showWarnings } from "./diagnostics.ts";
import { failWith, printError } from "./fail.ts";
import { readFlowFile, readTargetFile } from "./inputs.ts";
import { withSteadyLoad } from "./steady_load.ts";
import type { ReportFlags } from "./run_reports.ts";
import { storeDirectory } from "./store_directory.ts";
import { readTls, type TlsFlags } from "./tls.ts";
import { systemWorld } from "./world.ts";

/** Options of `bench duel`. */
export interface DuelFlags extends TlsFlags, ReportFlags {
  readonly target: string;
  readonly against: string;
  /** Microseconds. */
  readonly for: number;
  readonly vus?: number;
  readonly margin: number;
  readonly seed: number;
  readonly workers: number;
  readonly store?: string;
  readonly http: HttpChoice;
  readonly json?: true;
  readonly quiet?: true;
}

/**
 * Runs a flow against two targets at once, and says whether the second is better or
 * worse. Returns the exit code: 1 when it is worse.
 */
export async function duelCommand(
  file: string,
  flags: DuelFlags,
  console: Console,
): Promise<number> {
  try {
    const flow = await withSteadyLoad(await readFlowFile(file, console), flags);
    const sides = await Promise.all(
      [flags.target, flags.against].map((target) => sideOf(flow, target)),
    );
    const [a, b] = sides as [PreparedRun, PreparedRun];
    if (sameTarget(a, b) && flags.target !== flags.against) {
      console.err("note: both targets have the same base URL\n");
    }
    showWarnings(a, console);
    const outcomes = await bothRuns([a, b], flags, console);
    const codes = outcomes.map(({ meta }) => exitCodeOf(meta));
    const bad = codes.find((code) => code > EXIT.verdictFailed);
    if (bad !== undefined) {
      printError(console, "a side did not finish: there is nothing to compare");
      return bad;
    }
    const [base, candidate] = await Promise.all(
      outcomes.map(({ directory }) =>
        readEvidence(directory, systemClock.wall())
      ),
    );
    const compared = compareRuns(candidate!, [base!], {
      margin: flags.margin,
      paired: true,
    });
    return await showComparison(compared, flags, console);
  } catch (error) {
    return failWith(error, console, "text");
  }
}

async function sideOf(flow: InputFile, name: string): Promise<PreparedRun> {
  const target = await readTargetFile(name, flow);
  return await prepareRun(flow, target, systemWorld);
}

/** Both begin at one moment, so that their seconds are the same. */
async function bothRuns(
  sides: readonly PreparedRun[],
  flags: DuelFlags,
  console: Console,
): Promise<readonly StoredOutcome[]> {
  const tls = readTls(flags, console);
  const barrier = new Barrier(sides.length);
  return await Promise.all(sides.map(async (prepared, side) => {
    try {
      return await attendedRun(prepared, {
        seed: flags.seed,
        storeDir: storeDirectory(flags.store),
        tls: tls.options,
        http: flags.http,
        notes: tls.notes,
        workers: flags.workers,
        together: barrier.arrive,
        quiet: flags.quiet || side > 0,
      }, console);
    } catch (error) {
      barrier.break(error);
      throw error;
    }
  }));
}

function sameTarget(a: PreparedRun, b: PreparedRun): boolean {
  return a.target.base_urls[0] === b.target.base_urls[0];
}
