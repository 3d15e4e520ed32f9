import { watchUncaught } from "./base/process/signals.ts";
import { InputError } from "./base/text/diagnostic.ts";
import { locationOf } from "./base/text/location.ts";
import type { PreparedRun } from "./compile.ts";
import { budgetOf } from "./engine/plan/ramp.ts";
import { addToRun } from "./engine/run_context/add_to_run.ts";
import { startAgentSamples } from "./engine/run_context/agent_samples.ts";
import {
  factsOf,
  locator,
  planOf,
  secretsOf,
  taskOf,
} from "./engine/run_context/facts.ts";
import {
  openFiles,
  RunRefused,
  type StoredRun,
  storeFailedRun,
  withDirectory,
} from "./engine/run_context/files.ts";
import { startHeartbeat } from "./engine/run_context/heartbeat.ts";
import { OtherRows } from "./engine/run_context/other_rows.ts";
import { ResponseNotes } from "./engine/run_context/response_notes.ts";
import type {
  KnownRun,
  Listener,
  ReadyRun,
  RunContext,
  RunOptions,
} from "./engine/run_context/run_context.ts";
import {
  prepareStoring,
  storeReports,
} from "./engine/run_context/store_reports.ts";
import { hiddenSnapshot } from "./engine/run_context/stored_share.ts";
import { StepError } from "./engine/vu/job.ts";
import { Stop } from "./engine/vu/stop.ts";
import { openWorkerPool } from "./engine/workers/open_worker_pool.ts";
import { ProcessCost } from "./engine/workers/process_cost.ts";
import type { WorkerReport } from "./engine/workers/worker_pool.ts";
import type { RunProgress } from "./results/record/live_recording.ts";
import { cutBodies, redactTrace } from "./results/redact/redacted.ts";
import { listeningProcesses } from "./results/samples/listening_processes.ts";
import { StoreError } from "./results/store/layout.ts";
import type { TraceFile } from "./results/store/run_files.ts";
import type { RouteOptions } from "./wire/net/byte_stream.ts";
import type { TlsOptions } from "./wire/net/network.ts";

export { addToRun, budgetOf, locator, planOf, RunRefused, Stop, StoreError };
export type { Listener, RouteOptions, RunOptions, RunProgress, TlsOptions };

/** The figures of a run that is over, and where they are stored. */
export interface RunOutcome<
  Directory extends string | undefined = string | undefined,
> extends StoredRun {
  /** The run directory; undefined when nothing was stored. */
  readonly directory: Directory;
}

/**
 * IR to run directory: opens the worker pool, lets it carry out the plan, and
 * stores what was recorded, redacted.
 *
 * @throws {InputError} when a step cannot be made ready; nothing was sent
 * @throws {StoreError} when the run's directory cannot be begun; what fails later
 *   is in the outcome, beside the figures
 */
export async function runFlow<Directory extends string | undefined>(
  prepared: PreparedRun,
  options: RunOptions & { readonly storeDir?: Directory },
): Promise<RunOutcome<Directory>> {
  let traces: TraceFile | undefined;
  let ready: ReadyRun | undefined;
  const run = newRun(prepared, options, () => traces!);
  const { plan, secrets, workers, listeners } = run;
  try {
    await Promise.all([prepareWorkers(run), prepareStoring(plan, secrets)]);
    const known = { ...run, facts: factsOf(prepared, plan, options) };
    for (const each of listeners) await each.open?.(known);
    ready = await openFiles(known);
    traces = ready.traces;
    const others = targetProcesses(ready);
    await Promise.all(listeners.map((each) => each.start?.(ready!)));
    const startedAt = await workers.start();
    const cost = new ProcessCost(options.clock, startedAt, others);
    const agent = startAgentSamples(prepared, plan, options, startedAt);
    return await carryOut({ ...ready, startedAt, cost, agent }) as RunOutcome<
      Directory
    >;
  } finally {
    ready?.writer.release();
    workers.close();
    for (const each of listeners) await each.end?.();
  }
}

/** @param traces where traces go that are stored as they come */
function newRun(
  prepared: PreparedRun,
  options: RunOptions,
  traces: () => TraceFile,
): Omit<KnownRun, "facts"> {
  const { clock, stop, part, listeners: given = [] } = options;
  const plan = planOf(prepared, options);
  const secrets = secretsOf(prepared, options);
  const otherRows = new OtherRows(secrets, locator(prepared));
  const listeners: Listener[] = [new ResponseNotes(prepared.flow), ...given];
  const { openPool = openWorkerPool } = part ?? {};
  const workers = openPool(taskOf(prepared, plan, options), {
    clock,
    stop,
    workers: options.workers ?? navigator.hardwareConcurrency,
    registerSecret: (value) => secrets.register(value),
    hide: (snapshot) => hiddenSnapshot(snapshot, secrets),
    everyTrace: given.some((each) => each.trace),
    writeTrace(trace, keep) {
      const shown = redactTrace(trace, secrets);
      for (const each of listeners) each.trace?.(shown);
      return keep ? traces().append(cutBodies(shown)) : 0;
    },
    writeRow: (row) => otherRows.add(row),
  });
  return { prepared, options, plan, secrets, otherRows, listeners, workers };
}

async function prepareWorkers(
  { workers, prepared, secrets }: Pick<
    KnownRun,
    "workers" | "prepared" | "secrets"
  >,
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

/** The target's processes on this machine; looking takes time that is not part of the run. */
function targetProcesses({ prepared: { bases }, plan }: ReadyRun) {
  return plan.executor === "rows"
    ? []
    : listeningProcesses(bases.map(({ origin }) => origin));
}

async function carryOut(run: RunContext): Promise<RunOutcome> {
  const { workers, startedAt, options: { clock, stop } } = run;
  const heartbeat = startHeartbeat(run);
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
    stop.hard("error", String(error));
  } finally {
    await heartbeat.end();
    uncaught.end();
  }
  const durationMs = clock.now() - startedAt;
  const agent = run.agent.end();
  try {
    if (failure) throw failure.error;
    const ended = await withDirectory(run);
    const cost = run.cost.of(reports, durationMs);
    const stored = await storeReports(ended, reports, agent, cost);
    if (!stored.unsaved) await workers.stored?.();
    return { ...stored, directory: ended.writer.dir };
  } catch (error) {
    throw await storeFailedRun(run, error, durationMs, agent);
  }
}
