import { systemClock } from "../../base/time/clock.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { redact } from "../../results/redact/redacted.ts";
import { finalScan } from "../../results/store/final_scan.ts";
import { readMeta } from "../../results/store/reader.ts";
import { RunWriter } from "../../results/store/run_writer.ts";
import { StoreError } from "../../results/store/layout.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { RunOptions } from "./run_context.ts";
import { secretsOf } from "./facts.ts";

/**
 * Adds what was found after a run to the `meta.json` of its directory, which is
 * redacted and scanned like that of the run itself.
 *
 * @throws {StoreError}
 */
export async function addToRun(
  prepared: PreparedRun,
  dir: string,
  found: Pick<RunMeta, "capacity">,
  options: Pick<RunOptions, "agentToken" | "route">,
): Promise<void> {
  const secrets = secretsOf(prepared, options);
  const meta = await readMeta(dir, systemClock.wall());
  const writer = new RunWriter(dir);
  await writer.writeMeta(redact({ ...meta, ...found }, secrets));
  const leaks = await finalScan(dir, secrets);
  if (leaks.length === 0) return;
  throw new StoreError(leakText(leaks));
}

/** That secrets were found in stored files. */
export function leakText(files: readonly string[]): string {
  return `a secret had reached ${
    files.join(", ")
  } and was scrubbed there: this is a bug in bench, please report it`;
}
