import { lowerCompilers } from "../../base/process/compiler_threads.ts";
import { makeRoomForFiles } from "../../base/process/file_table.ts";
import { releaseProgramPages } from "../../base/process/program_pages.ts";
import { InputError } from "../../base/text/diagnostic.ts";
import { locationOf } from "../../base/text/location.ts";
import { cutBodies, redactTrace } from "../../results/redact/redacted.ts";
import { listeningProcesses } from "../../results/samples/listening_processes.ts";
import type { TraceFile } from "../../results/store/run_files.ts";
import { rehearsalMs } from "../plan/plan.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import { KnownTokens } from "../../steps/auth/tokens.ts";
import { StepError } from "../vu/job.ts";
import { openWorkerPool } from "../workers/thread_pool.ts";
import { ProcessCost } from "../workers/process_cost.ts";
import { startAgentSamples } from "./agent_samples.ts";
import { locator, planOf, secretsOf, taskOf } from "./facts.ts";
import { storeListeners } from "./live_store.ts";
import { type OnceRecord, openOnce } from "./once.ts";
import { onceFailure, plural } from "../../results/report/figures.ts";
import { storeFailedRun } from "./files.ts";
import { OtherRows } from "./other_rows.ts";
import { routeNotes } from "./route_notes.ts";
import { ResponseNotes } from "./response_notes.ts";
import type {
  KnownRun,
  Listener,
  OnceLists,
  ReadyRun,
  RunContext,
  RunOptions,
} from "./run_context.ts";
import { hiddenSnapshot } from "./stored_share.ts";

/** Open files of a run beside its connections, at most. */
const OTHER_FILES = 256;

/** A run of which nothing is compiled yet. */
interface NewRun extends Omit<KnownRun, "facts"> {
  readonly prepareOnce: () => Promise<void>;
}

/**
 * Plans a run and opens its workers.
 *
 * @param traces where traces go that are stored as they come
 */
export function newRun(
  prepared: PreparedRun,
  given: RunOptions,
  traces: () => TraceFile,
): NewRun {
  const { used, unused } = routeNotes(prepared, given.route);
  const options = { ...given, notes: [...given.notes, ...used, ...unused] };
  const { clock, chance, stop, part, listeners: more = [] } = options;
  const plan = planOf(prepared, options);
  const secrets = secretsOf(prepared, options);
  const locate = locator(prepared);
  const otherRows = new OtherRows(secrets, locate);
  const knownTokens = new KnownTokens();
  const listeners: Listener[] = [
    new ResponseNotes(prepared.flows.map(({ flow }) => flow)),
    { notes: () => renewalNotes(knownTokens) },
    ...more,
  ];
  const { openPool = openWorkerPool } = part ?? {};
  const task = taskOf(prepared, plan, options);
  const registerSecret = (value: string) => secrets.register(value);
  const workers = openPool(task, {
    clock,
    stop,
    workers: options.workers ?? navigator.hardwareConcurrency,
    registerSecret,
    knownTokens,
    rate: options.rate,
    hide: (snapshot) => hiddenSnapshot(snapshot, secrets),
    everyTrace: more.some((each) => each.trace),
    writeTrace(trace, keep) {
      const shown = redactTrace(trace, secrets);
      const cut = () => cutBodies(shown, secrets);
      for (const each of listeners) each.trace?.(shown, cut);
      return keep ? traces().append(cut()) : 0;
    },
    writeRow: (row) => otherRows.add(row),
  });
  const once: OnceLists = {};
  const { rate } = options;
  const tools = { clock, chance, stop, secrets, locate, knownTokens, rate };
  const prepareOnce = async () => {
    once.setup = await openOnce("setup", task, tools);
    once.teardown = await openOnce("teardown", task, tools);
  };
  return {
    ...{ prepared, options, plan, secrets, otherRows, listeners, workers },
    once,
    prepareOnce,
  };
}

function renewalNotes({ notRenewed: { count, why } }: KnownTokens): string[] {
  return count === 0 ? [] : [
    `${plural(count, "renewal")} of an OAuth2 token failed; the last: ${why}`,
  ];
}

/**
 * Makes the workers ready; nothing is sent.
 *
 * @throws {InputError} for a step that cannot be made ready
 */
export async function prepareWorkers(
  { workers, plan, options, prepared, secrets, prepareOnce }: NewRun,
): Promise<void> {
  const rehearses = options.rehearsal && rehearsalMs(plan) > 0;
  try {
    if (rehearses) releaseProgramPages();
    await Promise.all([
      prepareOnce(),
      workers.prepare(),
      plan.executor === "rows" ? undefined : makeRoomForFiles(
        plan.peakVus * prepared.bases.length + OTHER_FILES,
      ),
    ]);
    if (rehearses) releaseProgramPages();
    // What is hot has been compiled. A closed loop needs them for the rest as well.
    if (rehearses && plan.executor === "open") await lowerCompilers();
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
 * Carries `setup` out, starts all listeners, and agrees with the workers on when
 * the run begins. From then on its files listen too, before all others. A run
 * whose setup does not pass begins, and is stopped already. One that was stopped
 * before sends nothing: neither `setup` nor `teardown`.
 */
export async function beginRun(run: ReadyRun): Promise<RunContext> {
  const { prepared, plan, options, workers, listeners, facts } = run;
  const neverBegan = options.stop.requested;
  const setup = neverBegan ? undefined : await setUp(run);
  const { clock } = options;
  // Looking for them takes time that is not part of the run.
  const targetProcesses = plan.executor === "rows"
    ? []
    : listeningProcesses(prepared.bases.map(({ origin }) => origin));
  const { warmUpMs = 0 } = plan;
  let startsAt: number;
  try {
    await Promise.all(listeners.map((each) => each.start?.(run)));
    startsAt = await workers.start(setup?.given);
  } catch (error) {
    // Setup may have been carried out, and the other side of a duel be missing.
    const startedAt = clock.now();
    await tearDown({
      ...run,
      ...{ neverBegan, startedAt },
      ...setup && { setup, given: setup.given },
    });
    throw await storeFailedRun(setup ? { ...run, setup } : run, error);
  }
  const startedAt = startsAt + warmUpMs;
  const begun = {
    ...run,
    // Its times count from the load that is measured.
    ...setup && {
      given: setup.given,
      setup: { ...setup, trace: setup.trace(startedAt) },
      facts: { ...facts, startedAt: clock.wall() + warmUpMs },
    },
    neverBegan,
    leftLoadOut: options.stop.requested,
    startsAt,
    startedAt,
    cost: new ProcessCost(clock, startedAt, targetProcesses),
    agent: startAgentSamples(prepared, plan, options, startedAt),
  };
  return { ...begun, listeners: [...storeListeners(begun), ...listeners] };
}

async function setUp({ once, options: { stop } }: ReadyRun) {
  const setup = await once.setup?.run();
  // The load has its tokens from now on, and renews them.
  once.setup?.close();
  if (!setup) return undefined;
  const failed = onceFailure("setup", setup.summary);
  if (failed !== undefined) stop.soft("setup", failed);
  return setup;
}

/** A run that has something to tear down. */
type SetUpRun =
  & Pick<RunContext, "once" | "given" | "neverBegan" | "options" | "startedAt">
  & { readonly setup?: Pick<OnceRecord, "summary"> | undefined };

/** Whether there is a `teardown` to carry out. */
export function tearsDown({ once, neverBegan, options }: SetUpRun): boolean {
  return once.teardown !== undefined && !neverBegan &&
    !options.stop.leaving.aborted;
}

/** Carries `teardown` out, however the run ended. */
export async function tearDown(
  { once, given, setup, startedAt, neverBegan, options: { stop } }: SetUpRun,
): Promise<Pick<RunContext, "teardown" | "leftTeardownOut">> {
  if (!once.teardown || neverBegan) return {};
  if (stop.leaving.aborted) return { leftTeardownOut: true };
  const inPart = setup !== undefined && setup.summary.outcome !== "passed";
  const done = await once.teardown.run(given, inPart);
  const teardown = { ...done, trace: done.trace(startedAt) };
  return { teardown, leftTeardownOut: stop.leaving.aborted };
}
