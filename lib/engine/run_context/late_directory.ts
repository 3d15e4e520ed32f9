import { redactText } from "../../results/redact/redacted.ts";
import { createRun } from "../../results/store/run_writer.ts";
import type { RunContext } from "./run_context.ts";

/**
 * The run with a directory that is made only now: a shard's share is stored by the
 * lead, unless the lead is lost.
 *
 * @throws {StoreError}
 */
export async function withDirectory(run: RunContext): Promise<RunContext> {
  const { options: { storeDir }, facts, prepared, secrets } = run;
  if (storeDir === undefined) return run;
  const writer = await createRun(storeDir, facts.id);
  await writer.writeFlow(redactText(prepared.canonical, secrets));
  return { ...run, writer, traces: writer.openTraces("sampled") };
}
