import { Refused } from "./base/errors/bench_error.ts";
import type { PreparedRun } from "./compile.ts";
import { budgetOf } from "./engine/plan/ramp.ts";
import { StepError } from "./engine/vu/job.ts";
import { Stop } from "./engine/vu/stop.ts";
import {
  factsOf,
  locator,
  planOf,
  secretsOf,
  taskOf,
} from "./engine/run_context/facts.ts";
import {
  type StoredRun,
  storeFailedRun,
  withDirectory,
} from "./engine/run_context/files.ts";
import { ResponseNotes } from "./engine/run_context/response_notes.ts";
import { OtherRows } from "./engine/run_context/other_rows.ts";
import { storeReports } from "./engine/run_context/store_reports.ts";
import { earlyEndOf } from "./engine/run_context/early_end.ts";
import { hiddenSnapshot } from "./engine/run_context/stored_share.ts";
import { openMetrics } from "./engine/run_context/metrics_server.ts";
import { addToRun } from "./engine/run_context/add_to_run.ts";
import { startHeartbeat } from "./engine/run_context/heartbeat.ts";
import type {
  DuelSide,
  RunContext,
  RunOptions,
} from "./engine/run_context/run_context.ts";
import { startAgentSamples } from "./engine/run_context/agent_samples.ts";
import { histogramEncoder } from "./results/record/snapshot.ts";
import { localListeners } from "./results/samples/listeners.ts";
import type { RunProgress } from "./results/record/live_recording.ts";
import { cutBodies, redact, redactTrace } from "./results/redact/redacted.ts";
import { Secrets } from "./results/redact/secrets.ts";
import { runningMeta } from "./results/report/summary.ts";
import {
  NO_FILES,
  type RunFiles,
  type TraceFile,
} from "./results/store/run_files.ts";
import { createRun } from "./results/store/run_writer.ts";
import { StoreError } from "./results/store/layout.ts";
import { InputError } from "./base/text/diagnostic.ts";
import { watchUncaught } from "./base/process/signals.ts";
import { locationOf } from "./base/text/location.ts";
import type { WorkerPool, WorkerReport } from "./engine/workers/worker_pool.ts";
import { ProcessCost } from "./engine/workers/process_cost.ts";
import { openWorkerPool } from "./engine/workers/open_worker_pool.ts";
import type { RouteOptions } from "./wire/net/byte_stream.ts";
import type { TlsOptions } from "./wire/net/network.ts";

export { addToRun, budgetOf, locator, planOf, Stop, StoreError };
export type { DuelSide, RouteOptions, RunOptions, RunProgress, TlsOptions };

/** What a run came to. */
export interface RunOutcome extends StoredRun {
  /** The run directory, when something was stored. */
  readonly directory?: string;
}

/** What a run came to that was stored. */
export interface StoredOutcome extends RunOutcome {
  readonly directory: string;
}

/**
 * IR to run directory: opens the worker pool, lets it carry out the plan, and
 * stores what was recorded, redacted.
 *
 * @throws {InputError} when a step cannot be made ready; nothing was sent
 * @throws {StoreError} when the run's directory cannot be begun; what fails later
 *   is in the outcome, beside the figures
 */
export function runFlow(
  prepared: PreparedRun,
  options: RunOptions & { readonly storeDir: string },
): Promise<StoredOutcome>;
export function runFlow(
  prepared: PreparedRun,
  options: RunOptions,
): Promise<RunOutcome>;
export async function runFlow(
  prepared: PreparedRun,
  options: RunOptions,
): Promise<RunOutcome> {
  const secrets = secretsOf(prepared, options);
  const plan = planOf(prepared, options);
  const otherRows = new OtherRows(secrets, locator(prepared));
  const responseNotes = new ResponseNotes(prepared.flow);
  let [traces, writer]: [TraceFile?, RunFiles?] = [];
  let metrics: ReturnType<typeof openMetrics>;
  const { openPool = openWorkerPool } = options;
  const workers = openPool(taskOf(prepared, plan, options), {
    clock: options.clock,
    stop: options.stop,
    workers: options.workers ?? navigator.hardwareConcurrency,
    registerSecret: (value) => secrets.register(value),
    hide: (snapshot) => hiddenSnapshot(snapshot, secrets),
    everyTrace: options.onIteration !== undefined,
    writeTrace(trace, keep) {
      const shown = redactTrace(trace, secrets);
      options.onIteration?.(shown);
      responseNotes.see(shown);
      return keep ? traces!.append(cutBodies(shown)) : 0;
    },
    writeRow: (row) => otherRows.add(row),
  });
  try {
    const loaded = loadLate(plan.executor !== "rows", secrets);
    await Promise.all([prepareWorkers(workers, prepared, secrets), loaded]);
    const facts = factsOf(prepared, plan, options);
    metrics = openMetrics(prepared.flow, facts, options);
    writer = await newRunDirectory(options, facts.id);
    await beginFiles(writer, prepared, redact(runningMeta(facts), secrets));
    if (writer.dir !== undefined) options.onStored?.(facts.id);
    traces = writer.openTraces(plan.executor === "rows" ? "all" : "sampled");
    const targetProcesses = listenersOf(prepared, plan);
    const earlyEnd = await earlyEndOf(facts, plan, options);
    await options.duel?.together();
    return await carryOut({
      prepared,
      options,
      plan,
      facts,
      secrets,
      writer,
      traces,
      otherRows,
      responseNotes,
      workers,
      metrics,
      startedAt: await workers.start(),
      targetProcesses,
      earlyEnd,
    });
  } finally {
    writer?.release();
    workers.close();
    await metrics?.close();
  }
}

/** The target's processes on this machine; looking takes time that is not part of the run. */
function listenersOf(
  { bases }: PreparedRun,
  { executor }: ReturnType<typeof planOf>,
) {
  return executor === "rows"
    ? []
    : localListeners(bases.map(({ origin }) => origin));
}

/** What is used late: a run may take every descriptor, and nothing can be loaded then. */
async function loadLate(isLoad: boolean, secrets: Secrets): Promise<void> {
  await Promise.all([
    secrets.size > 0 ? Secrets.prepare() : undefined,
    ...isLoad
      ? [
        histogramEncoder(),
        import("./results/report/findings.ts"),
        import("./results/statistics/drift.ts"),
        import("./results/statistics/percentile_bounds.ts"),
      ]
      : [],
  ]);
}

/** The run was refused before its first request, though its files are correct. */
export class RunRefused extends Refused {
  override readonly name = "RunRefused";
}

async function beginFiles(
  writer: RunFiles,
  { canonical }: PreparedRun,
  meta: Parameters<RunFiles["writeMeta"]>[0],
): Promise<void> {
  await writer.writeMeta(meta);
  await writer.writeFlow(canonical);
}

async function newRunDirectory(
  { storeDir, keep }: RunOptions,
  id: string,
): Promise<RunFiles> {
  if (storeDir === undefined || keep) return NO_FILES;
  try {
    return await createRun(storeDir, id);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new RunRefused(error.message, error.hint);
  }
}

async function prepareWorkers(
  workers: WorkerPool,
  prepared: PreparedRun,
  secrets: Secrets,
): Promise<void> {
  try {
    await workers.prepare();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const { file, locations } = prepared;
    const { pointer } = error;
    throw new InputError([{
      code: "unusable-step",
      at: locationOf(locations, pointer) ?? { file, pointer },
      // It may quote a URL that an environment variable is part of.
      message: secrets.scrub(error.message),
    }], prepared.sources);
  }
}

async function carryOut(run: RunContext): Promise<RunOutcome> {
  const { workers, options, startedAt } = run;
  const cost = new ProcessCost(options.clock, startedAt, run.targetProcesses);
  const listening = startAgentSamples(run);
  const heartbeat = startHeartbeat(run, listening, cost);
  const uncaught = watchUncaught();
  let reports: readonly WorkerReport[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    reports = await Promise.race([
      workers.run(startedAt),
      heartbeat.failure,
      uncaught.failure,
    ]);
  } catch (error) {
    failure = { error };
    // Nothing waits any more for what is under way.
    options.stop.hard("error", String(error));
  } finally {
    await heartbeat.end();
    uncaught.end();
  }
  const durationMs = options.clock.now() - startedAt;
  const agent = listening.end();
  try {
    if (failure) throw failure.error;
    const ended = options.keep?.() ? await withDirectory(run) : run;
    const stored = await storeReports(
      ended,
      reports,
      agent,
      cost.of(reports, durationMs),
    );
    if (!stored.unsaved) await workers.stored?.();
    const { dir: directory } = ended.writer;
    return { ...stored, ...(directory !== undefined && { directory }) };
  } catch (error) {
    throw await storeFailedRun(run, error, durationMs, agent);
  }
}
