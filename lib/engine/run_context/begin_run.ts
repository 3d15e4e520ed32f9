import { InputError } from "../../base/text/diagnostic.ts";
import { locationOf } from "../../base/text/location.ts";
import { cutBodies, redactTrace } from "../../results/redact/redacted.ts";
import { listeningProcesses } from "../../results/samples/listening_processes.ts";
import type { TraceFile } from "../../results/store/run_files.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import { StepError } from "../vu/job.ts";
import { openWorkerPool } from "../workers/open_worker_pool.ts";
import { ProcessCost } from "../workers/process_cost.ts";
import { startAgentSamples } from "./agent_samples.ts";
import { locator, planOf, secretsOf, taskOf } from "./facts.ts";
import { storeListeners } from "./live_store.ts";
import { OtherRows } from "./other_rows.ts";
import { ResponseNotes } from "./response_notes.ts";
import type {
  KnownRun,
  Listener,
  ReadyRun,
  RunContext,
  RunOptions,
} from "./run_context.ts";
import { hiddenSnapshot } from "./stored_share.ts";

type NewRun = Omit<KnownRun, "facts">;

/**
 * Plans a run and opens its workers.
 *
 * @param traces where traces go that are stored as they come
 */
export function newRun(
  prepared: PreparedRun,
  options: RunOptions,
  traces: () => TraceFile,
): NewRun {
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

/**
 * Makes the workers ready; nothing is sent.
 *
 * @throws {InputError} for a step that cannot be made ready
 */
export async function prepareWorkers(
  { workers, prepared, secrets }: NewRun,
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

/**
 * Starts all listeners, and agrees with the workers on when the run begins. From
 * then on its files listen too, before all others.
 */
export async function beginRun(run: ReadyRun): Promise<RunContext> {
  const { prepared, plan, options, workers, listeners } = run;
  const { clock } = options;
  // Looking for them takes time that is not part of the run.
  const targetProcesses = plan.executor === "rows"
    ? []
    : listeningProcesses(prepared.bases.map(({ origin }) => origin));
  await Promise.all(listeners.map((each) => each.start?.(run)));
  const startedAt = await workers.start();
  const begun = {
    ...run,
    startedAt,
    cost: new ProcessCost(clock, startedAt, targetProcesses),
    agent: startAgentSamples(prepared, plan, options, startedAt),
  };
  return { ...begun, listeners: [...storeListeners(begun), ...listeners] };
}
