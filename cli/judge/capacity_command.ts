import { EXIT, Refused } from "../../lib/base/errors/bench_error.ts";
import {
  type Capacity,
  type CapacityTrial,
  trialOutcome,
} from "../../lib/model/result/findings.ts";
import {
  capacityJunit,
  capacityMarkdown,
  renderCapacity,
} from "../../lib/results/formats/capacity_report.ts";
import { isShort, plural } from "../../lib/results/report/figures.ts";
import { attendedRun } from "../run/attended_run.ts";
import { measureCapacity } from "./capacity.ts";
import type { CapacityFlags } from "./judging_options.ts";
import type { Console } from "../terminal/console.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { withThresholds } from "../options/judged_flow.ts";
import { showResult } from "../run/show_result.ts";
import { storeDirectory } from "../options/store.ts";
import { readConnection } from "../options/connection.ts";
import { showWarnings } from "../terminal/errors.ts";
import { systemEnvironment } from "../inputs/environment.ts";

/** Finds the highest load at which the thresholds hold. Returns the exit code. */
export async function capacityCommand(
  file: string,
  flags: CapacityFlags,
  console: Console,
): Promise<number> {
  if (flags.rate && flags.vus) {
    throw new Refused("--rate and --vus are two searches", "give one of them");
  }
  const { http, workers } = flags;
  const flow = withThresholds(await readFlowFile(file, console), flags);
  const target = await readTargetFile(flags.target, flow);
  const connection = readConnection(flags, console);
  const { capacity, directory, meta, stopped } = await measureCapacity({
    ...flags,
    ...{ flow, target, environment: systemEnvironment },
    storeDir: storeDirectory(flags.store),
    carryOut: (prepared, storeDir, seed) =>
      attendedRun(prepared, {
        ...{ seed, storeDir, http, workers, quiet: true },
        ...connection,
      }, console),
    onPrepared: (prepared) => showWarnings(prepared, console),
    onTrial: (each, unit) => {
      if (!flags.quiet) console.err(trialLine(each, unit));
    },
  });
  const written = await showResult(
    {
      data: capacity,
      text: (style) =>
        renderCapacity(meta.flow, capacity, { ...style, directory }),
      junit: () => capacityJunit(meta, capacity),
      markdown: () => capacityMarkdown(meta, capacity),
    },
    flags,
    console,
  );
  if (stopped !== undefined) return stopped;
  if (isShort(capacity)) return EXIT.verdictFailed;
  return written ? EXIT.held : EXIT.errored;
}

function trialLine(trial: CapacityTrial, unit: Capacity["unit"]): string {
  const { level, broken } = trial;
  const what = unit === "vus" ? plural(level, "VU") : `${level}/s`;
  const how = {
    generator: "the generator was the limit",
    max_rps: "`max_rps` of the target held requests back",
    held: "held",
    broke: `broke: ${broken.join("; ")}`,
  };
  return `${what}  ${how[trialOutcome(trial)]}\n`;
}
