import type { PreparedRun } from "../../lib/compile.ts";
import { attendedRun } from "../run/attended_run.ts";
import { showComparison } from "./compare_command.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/diagnostics.ts";
import { duel } from "./duel.ts";
import { failWith, printError } from "../terminal/fail.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import type { DuelFlags } from "./judging_options.ts";
import { storeDirectory } from "../options/store_directory.ts";
import { readTls } from "../options/tls.ts";
import { systemWorld } from "../inputs/world.ts";

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
    const flow = await readFlowFile(file, console);
    const { seed, http, workers, margin, vus } = flags;
    const { options: tls, notes } = readTls(flags, console);
    const storeDir = storeDirectory(flags.store);
    const result = await duel({
      ...{ flow, world: systemWorld, margin, for: flags.for },
      ...(vus !== undefined && { vus }),
      targets: [
        await readTargetFile(flags.target, flow),
        await readTargetFile(flags.against, flow),
      ],
      onPrepared: (sides) => warn(sides, flags, console),
      carryOut: (prepared, duel) =>
        attendedRun(prepared, {
          ...{ seed, storeDir, tls, http, notes, workers, duel },
          quiet: flags.quiet || duel.side > 0,
        }, console),
    });
    if ("comparison" in result) {
      return await showComparison(result.comparison, flags, console);
    }
    printError(console, "a side did not finish: there is nothing to compare");
    return result.unfinished;
  } catch (error) {
    return failWith(error, console, "text");
  }
}

function warn(
  [a, b]: readonly PreparedRun[],
  { target, against }: DuelFlags,
  console: Console,
): void {
  const same = a!.target.base_urls[0] === b!.target.base_urls[0];
  if (same && target !== against) {
    console.err("note: both targets have the same base URL\n");
  }
  showWarnings(a!, console);
}
