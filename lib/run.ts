import { watchUncaught } from "./base/process/signals.ts";
import type { PreparedRun } from "./compile.ts";
import { budgetOf } from "./engine/plan/budget.ts";
import {
  beginRun,
  newRun,
  prepareWorkers,
  tearDown,
  tearsDown,
} from "./engine/run_context/begin_run.ts";
import { factsOf, locator, planOf } from "./engine/run_context/facts.ts";
import { type StoredRun, storeFailedRun } from "./engine/run_context/files.ts";
import {
  openFiles,
  RunRefused,
  withDirectory,
} from "./engine/run_context/open_files.ts";
import { addToRun } from "./engine/run_context/add_to_run.ts";
import { rateMemory } from "./engine/limiter/limiter.ts";
import { routeNotes } from "./engine/run_context/route_notes.ts";
import { startHeartbeat } from "./engine/run_context/heartbeat.ts";
import { whileAlive } from "./engine/run_context/sign_of_life.ts";
import type {
  Listener,
  ReadyRun,
  RunContext,
  RunOptions,
} from "./engine/run_context/run_context.ts";
import {
  prepareStoring,
  storeLoad,
  storeReports,
} from "./engine/run_context/store_reports.ts";
import { Stop } from "./engine/vu/stop.ts";
import type { WorkerReport } from "./engine/workers/worker_pool.ts";
import type { RunProgress } from "./results/record/live_recording.ts";
import { StoreError } from "./results/store/layout.ts";
import type { RouteOptions } from "./wire/net/byte_stream.ts";
import type { TlsOptions } from "./wire/net/network.ts";

export {
  addToRun,
  budgetOf,
  locator,
  planOf,
  rateMemory,
  routeNotes,
  RunRefused,
  Stop,
  StoreError,
};
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
  let ready: ReadyRun | undefined;
  const run = newRun(prepared, options, () => ready!.traces);
  const { plan, secrets, workers, listeners } = run;
  try {
    await Promise.all([prepareWorkers(run), prepareStoring(plan, secrets)]);
    const known = { ...run, facts: await factsOf(prepared, plan, options) };
    for (const each of listeners) await each.open?.(known);
    const opened = await openFiles(known);
    ready = opened;
    const begun = await whileAlive(opened, () => beginRun(opened));
    const outcome = await carryOut(begun);
    return outcome as RunOutcome<Directory>;
  } finally {
    ready?.writer.release();
    run.once.setup?.close();
    run.once.teardown?.close();
    await workers.close();
    for (const each of listeners) await each.end?.();
  }
}

/** Lets the workers carry the plan out, and stores what they recorded. */
async function carryOut(run: RunContext): Promise<RunOutcome> {
  const { workers, startsAt, startedAt, options: { clock, stop } } = run;
  const heartbeat = startHeartbeat(run);
  const uncaught = watchUncaught();
  let reports: readonly WorkerReport[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    reports = await Promise.race([
      workers.run(startsAt),
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
  // A run that ended in its warm-up measured nothing.
  const least = run.plan.warmUpMs ? 1 : 0;
  const durationMs = Math.max(
    least,
    lastedMs(reports, clock.now() - startedAt),
  );
  const agent = run.agent.end();
  const cost = { ...run.cost.of(reports), durationMs };
  const teardown = await whileAlive(run, async () => {
    if (tearsDown(run)) {
      for (const each of run.listeners) each.tearDown?.();
      await storeLoad(run, reports, agent, cost);
    }
    return await tearDown(run);
  });
  try {
    if (failure) throw failure.error;
    const { facts } = run;
    const ended = {
      ...await withDirectory(run),
      ...teardown,
      // Of a run that ended in its warm-up the measured part never began.
      facts: { ...facts, startedAt: Math.min(facts.startedAt, clock.wall()) },
    };
    const stored = await storeReports(ended, reports, agent, cost);
    if (!stored.unsaved) await workers.stored?.();
    return { ...stored, directory: ended.writer.dir };
  } catch (error) {
    throw await storeFailedRun(run, error, durationMs, agent);
  }
}

/** Until the last worker's load had ended: what they recorded took its time to get here. */
function lastedMs(reports: readonly WorkerReport[], elapsedMs: number): number {
  if (reports.length === 0) return elapsedMs;
  const each = reports.map((report) => report.lastedMs ?? elapsedMs);
  return Math.min(elapsedMs, Math.max(...each));
}
