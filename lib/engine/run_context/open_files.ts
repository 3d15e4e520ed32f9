import { Refused } from "../../base/errors/bench_error.ts";
import { redact } from "../../results/redact/redacted.ts";
import { runningMeta } from "../../results/report/summary.ts";
import { StoreError } from "../../results/store/layout.ts";
import { NO_FILES, type RunFiles } from "../../results/store/run_files.ts";
import { createRun, type RunWriter } from "../../results/store/run_writer.ts";
import type { KnownRun, ReadyRun, RunContext } from "./run_context.ts";

/** The run was refused before its first request, though its files are correct. */
export class RunRefused extends Refused {
  override readonly name = "RunRefused";
}

/**
 * Makes the directory of a run that begins; there is none of one whose results
 * another process stores.
 *
 * @throws {RunRefused} when it cannot be made
 */
export async function openFiles(run: KnownRun): Promise<ReadyRun> {
  const { options: { storeDir, part }, plan } = run;
  const writer = storeDir === undefined || part?.keep
    ? NO_FILES
    : await newDirectory(storeDir, run);
  const policy = plan.executor === "rows" ? "all" : "sampled";
  return { ...run, writer, traces: writer.openTraces(policy) };
}

async function newDirectory(
  storeDir: string,
  { facts, prepared, secrets }: KnownRun,
): Promise<RunFiles> {
  let writer: RunWriter | undefined;
  try {
    writer = await createRun(storeDir, facts.id);
    await writer.writeMeta(redact(runningMeta(facts), secrets));
    await writer.writeFlow(prepared.canonical);
    return writer;
  } catch (error) {
    await writer?.discard();
    if (!(error instanceof StoreError)) throw error;
    throw new RunRefused(error.message, error.hint);
  }
}

/**
 * The run with the directory that its results go to: a shard's share is stored by
 * the lead, unless the lead is lost.
 *
 * @throws {StoreError}
 */
export async function withDirectory(run: RunContext): Promise<RunContext> {
  const { options: { storeDir, part }, facts, prepared } = run;
  if (!part?.keep?.() || storeDir === undefined) return run;
  const writer = await createRun(storeDir, facts.id);
  await writer.writeFlow(prepared.canonical);
  return { ...run, writer, traces: writer.openTraces("sampled") };
}
