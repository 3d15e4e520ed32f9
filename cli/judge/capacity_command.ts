import { EXIT } from "../../lib/base/errors/exit.ts";
import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/capacity.ts";
import {
  capacityJunit,
  capacityMarkdown,
  renderCapacity,
} from "../../lib/results/formats/capacity_report.ts";
import { isShort } from "../../lib/results/report/capacity_sentence.ts";
import { attendedRun } from "../run/attended_run.ts";
import { measureCapacity, type MeasuredCapacity } from "./capacity.ts";
import type { CapacityFlags } from "./judging_options.ts";
import type { Console } from "../terminal/console.ts";
import { failWith, refuseRequest } from "../terminal/fail.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { withThresholds } from "../options/judged_flow.ts";
import { putReports } from "../run/run_reports.ts";
import { storeDirectory } from "../options/store_directory.ts";
import { readTls } from "../options/tls.ts";
import { systemWorld } from "../inputs/world.ts";

/** Finds the highest load at which the thresholds hold. Returns the exit code. */
export async function capacityCommand(
  file: string,
  flags: CapacityFlags,
  console: Console,
): Promise<number> {
  if (flags.rate && flags.vus) {
    return refuseRequest(
      console,
      "--rate and --vus are two searches",
      "give one of them",
    );
  }
  try {
    const { seed, http, workers, quiet, from, most, least } = flags;
    const { precision, trial, coolDown } = flags;
    const flow = withThresholds(await readFlowFile(file, console), flags);
    const target = await readTargetFile(flags.target, flow);
    const { options: tls, notes } = readTls(flags, console);
    const measured = await measureCapacity({
      ...{ flow, target, world: systemWorld, precision, trial, coolDown },
      ...(from !== undefined && { from }),
      ...(most !== undefined && { most }),
      ...(least !== undefined && { least }),
      vus: flags.vus === true,
      storeDir: storeDirectory(flags.store),
      carryOut: (prepared, storeDir) =>
        attendedRun(prepared, {
          ...{ seed, storeDir, tls, http, notes, quiet: true },
          ...(workers !== undefined && { workers }),
        }, console),
      onTrial: quiet
        ? () => {}
        : (each, unit) => console.err(trialLine(each, unit)),
    });
    return await showCapacity(measured, flags, console);
  } catch (error) {
    return failWith(error, console, "text");
  }
}

async function showCapacity(
  { capacity, directory, meta, stopped }: MeasuredCapacity,
  flags: CapacityFlags,
  console: Console,
): Promise<number> {
  if (flags.json) console.out(`${JSON.stringify(capacity, null, 2)}\n`);
  else {
    const { outColor: color, width } = console;
    const shown = { color, width, directory };
    console.print(renderCapacity(meta.flow, capacity, shown));
  }
  const written = await putReports(
    {
      junit: () => capacityJunit(meta, capacity),
      markdown: () => capacityMarkdown(meta, capacity),
    },
    flags,
    console,
  );
  if (stopped !== undefined) return stopped ?? EXIT.errored;
  if (isShort(capacity)) return EXIT.verdictFailed;
  return written ? EXIT.held : EXIT.errored;
}

function trialLine(trial: CapacityTrial, unit: Capacity["unit"]): string {
  const { level, held, limited, broken } = trial;
  const what = unit === "vus" ? `${level} VUs` : `${level}/s`;
  const how = limited
    ? "the generator was the limit"
    : held
    ? "held"
    : `broke: ${broken.join("; ")}`;
  return `${what}  ${how}\n`;
}
