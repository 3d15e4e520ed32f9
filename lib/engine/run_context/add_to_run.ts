import { systemClock } from "../../base/time/clock.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { redact } from "../../results/redact/redacted.ts";
import { alone } from "../../results/report/reason.ts";
import { finalScan, leakText } from "../../results/store/final_scan.ts";
import { StoreError } from "../../results/store/layout.ts";
import { readMeta } from "../../results/store/reader.ts";
import { inTurn, RunWriter } from "../../results/store/run_writer.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import { secretsOf } from "./facts.ts";
import type { RunOptions } from "./run_context.ts";

/**
 * Adds what was found after a run to the `meta.json` of its directory, which is
 * redacted and scanned like that of the run itself. Its reason loses the run before:
 * that was another of the same search, which is not kept.
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
  await inTurn(dir, async () => {
    const { reason, ...meta } = await readMeta(dir, systemClock.wall());
    const writer = new RunWriter(dir);
    const all = { ...meta, ...found, ...(reason && { reason: alone(reason) }) };
    await writer.writeMeta(redact(all, secrets));
    const leaks = await finalScan(dir, secrets);
    if (leaks.length > 0) throw new StoreError(leakText(leaks));
  });
}
