import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import {
  onStopSignal,
  type StopSignal,
} from "../../lib/base/process/signals.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import {
  type Environment,
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "../../lib/compile.ts";
import { MOST_VUS } from "../../lib/model/course.ts";
import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/findings.ts";
import {
  checkBegun,
  exitCode,
  exitCodeOf,
} from "../../lib/results/report/exit_code.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { LoadSearch } from "../../lib/results/statistics/load_search.ts";
import { addToRun, type RunOutcome } from "../../lib/run.ts";
import { agentTokenFor } from "../run/start_run.ts";
import {
  capacityCause,
  checkRowsLeft,
  type StoredTrial,
  trialOf,
} from "./capacity_trial.ts";
import type { CapacityFlags } from "./judging_options.ts";

/** The quantity that is searched, and how. */
interface CapacityRequest extends
  Pick<
    CapacityFlags,
    | "vus"
    | "from"
    | "most"
    | "least"
    | "precision"
    | "trial"
    | "coolDown"
    | "seed"
  > {
  readonly flow: InputFile;
  readonly target: InputFile;
  readonly environment: Environment;
  readonly storeDir: string;
  /** Carries one trial out with that seed, into that store. */
  readonly carryOut: (
    prepared: PreparedRun,
    storeDir: string,
    seed: number,
  ) => Promise<RunOutcome<string>>;
  /** Called before anything is sent. */
  readonly onPrepared?: (prepared: PreparedRun) => void;
  readonly onTrial?: (trial: CapacityTrial, unit: Capacity["unit"]) => void;
}

/** The capacity of a target, and the run that shows it. */
interface MeasuredCapacity {
  readonly capacity: Capacity;
  readonly directory: string;
  /** Of the run that is kept. */
  readonly meta: RunMeta;
  /** The exit code of a search that was interrupted. */
  readonly stopped?: number;
}

/** The first levels, where nothing else is said. */
const FIRST_RATE = 10;
const FIRST_VUS = 1;
/** Users that carry a rate, at most. */
const MOST_CARRIERS = 2_000;
/** The highest level that can be asked for: a run has no more VUs. */
const HIGHEST = MOST_VUS;
/** A trial on the way is a share of a whole one, but no shorter. */
const SHORTEST_US = 2_000_000;

/**
 * Finds the highest load at which the thresholds hold.
 *
 * @throws {InputError} for a flow without thresholds, among others
 */
export async function measureCapacity(
  request: CapacityRequest,
): Promise<MeasuredCapacity> {
  const { flow, target, environment, vus = false } = request;
  checkLevels(request);
  let ceilings = { rate: Infinity, vus: Infinity };
  const prepare = (level: number, holdUs: number) => {
    const load = loadAt(level, holdUs, vus, ceilings.vus);
    return prepareRun(
      { ...flow, mode: { value: "load" }, load },
      target,
      environment,
    );
  };
  const first = request.from ?? (vus ? FIRST_VUS : FIRST_RATE);
  // The lowest level there is: ceilings of the target bound the others.
  const prepared = await prepare(1, request.trial);
  checkThresholds(prepared);
  request.onPrepared?.(prepared);
  const { max_rps, max_vus } = prepared.target;
  ceilings = { rate: max_rps ?? Infinity, vus: max_vus ?? Infinity };
  const search = new LoadSearch({
    from: first,
    most: Math.min(
      request.most ?? Infinity,
      vus ? ceilings.vus : ceilings.rate,
    ),
    whole: vus,
    precision: request.precision,
  });
  const stop = new StopWatch();
  try {
    const ran = await runTrials(search, prepare, request, stop);
    return await storeSearch(search, ran, request);
  } finally {
    stop.release();
  }
}

/** @throws {InputError} for a level that no trial can have */
function checkLevels({ vus, from, most }: CapacityRequest): void {
  const wrong = (name: string, message: string) =>
    refusal(`--${name}`, "bad-flag", `it is ${message}`);
  for (const [name, level = 1] of Object.entries({ from, most })) {
    if (level > HIGHEST) {
      throw wrong(name, `at most ${HIGHEST}, not ${level}`);
    }
    if (vus && !Number.isInteger(level)) {
      throw wrong(name, `a number of VUs with --vus, not ${level}`);
    }
  }
  if (from !== undefined && most !== undefined && from > most) {
    throw wrong("from", `at most what --most is, ${most}, not ${from}`);
  }
}

async function storeSearch(
  search: LoadSearch,
  { trials, stopped }: Ran,
  request: CapacityRequest,
): Promise<MeasuredCapacity> {
  const cause = await capacityCause(search, trials, request);
  const capacity = {
    unit: unitOf(request),
    ...search.bounds,
    ...(request.least !== undefined && { least: request.least }),
    cause: stopped === undefined
      ? cause
      : `${cause}; the search was interrupted`,
    trials: trials.map(({ trial }) => trial),
  };
  const kept = await storeCapacity(trials, capacity, request);
  return { capacity, ...kept, ...(stopped !== undefined && { stopped }) };
}

/**
 * Keeps the run of the lower bound, or else the last one, with all trials in its
 * `meta.json`; the others are removed.
 */
async function storeCapacity(
  trials: readonly StoredTrial[],
  capacity: Capacity,
  { storeDir, environment }: CapacityRequest,
): Promise<{ readonly directory: string; readonly meta: RunMeta }> {
  const { prepared, meta, directory } =
    trials.findLast(({ trial }) =>
      trial.level === capacity.lower && trial.held && !trial.limited
    ) ?? trials.at(-1)!;
  const token = agentTokenFor(prepared, environment);
  await addToRun(prepared, directory, { capacity }, token);
  const kept = `${storeDir}/${meta.id}`;
  await Deno.mkdir(storeDir, { recursive: true });
  await Deno.rename(directory, kept);
  const apart = directory.slice(0, -meta.id.length - 1);
  await Deno.remove(apart, { recursive: true });
  return { directory: kept, meta };
}

function checkThresholds({ file, flow: { profile } }: PreparedRun): void {
  if ((profile.thresholds ?? []).length > 0) return;
  throw refusal(
    file,
    "no-thresholds",
    "nothing says when a load is too much: the flow has no thresholds",
    'for example --threshold "p95(latency) < 300ms" --threshold "error_rate < 1%"',
  );
}

/** Notes that this process is asked to stop, from the first trial until all is written. */
class StopWatch {
  readonly #stop = new AbortController();
  #release: (() => void) | undefined;

  listen(): void {
    this.#release ??= onStopSignal((signal) => this.#stop.abort(signal));
  }

  /** The first that came. */
  get signal(): StopSignal | undefined {
    return this.#stop.signal.reason;
  }

  /** Waits, but not for longer than until one comes. */
  sleep(ms: number): Promise<void> {
    return systemClock.sleep(ms, this.#stop.signal);
  }

  release(): void {
    this.#release?.();
  }
}

interface Ran {
  readonly trials: readonly StoredTrial[];
  /** The exit code, where they were interrupted. */
  readonly stopped?: number;
}

async function runTrials(
  search: LoadSearch,
  prepare: (level: number, holdUs: number) => Promise<PreparedRun>,
  request: CapacityRequest,
  stop: StopWatch,
): Promise<Ran> {
  const { trial: wholeUs, coolDown, carryOut, onTrial } = request;
  const unit = unitOf(request);
  const shortest = Math.min(SHORTEST_US, wholeUs);
  const trials: StoredTrial[] = [];
  const storeDir = `${request.storeDir}/.capacity-${
    Math.floor(systemClock.wall())
  }`;
  for (let next = search.next(); next; next = search.next()) {
    const { level, share } = next;
    const holdUs = Math.max(shortest, Math.round(wholeUs * share));
    const prepared = await prepare(level, holdUs);
    // The target may keep its data: no trial sends the ids of another.
    const drawsValues = prepared.flows.some(({ flow }) => flow.values);
    const seed = request.seed + (drawsValues ? trials.length : 0);
    stop.listen();
    const { meta, directory } = await carryOut(prepared, storeDir, seed);
    try {
      checkBegun(meta);
      checkFinished(meta);
      checkRowsLeft(prepared, meta, level);
    } catch (error) {
      await Deno.remove(storeDir, { recursive: true });
      throw error;
    }
    const trial = trialOf(meta, level, unit);
    trials.push({ trial, prepared, meta, directory });
    if (meta.status === "interrupted") {
      return { trials, stopped: exitCodeOf(meta) };
    }
    search.note({ ...next, held: trial.held, limited: trial.limited });
    onTrial?.(trial, unit);
    await stop.sleep(coolDown / 1_000 * (trial.held ? 1 : 2));
    const { signal } = stop;
    if (signal) return { trials, stopped: exitCode({ signal }) };
  }
  return { trials };
}

/**
 * Checks that neither the engine nor the store ended a trial: that is no breach of the target's.
 *
 * @throws {BenchError} with the reason
 */
function checkFinished({ status, abort_reason }: RunMeta): void {
  if (status !== "errored") return;
  throw new BenchError(`a trial did not finish: ${abort_reason}`, {
    exitCode: EXIT.errored,
  });
}

function loadAt(
  level: number,
  holdUs: number,
  vus: boolean,
  mostVus: number,
): NonNullable<InputFile["load"]> {
  // A second's worth of VUs carries a rate.
  const carriers = Math.max(
    1,
    Math.min(MOST_CARRIERS, mostVus, Math.ceil(level)),
  );
  return {
    vus: { value: vus ? level : carriers },
    hold_us: { value: holdUs },
    iterations: { value: undefined },
    // Trial by trial the target is warm.
    warm_up_us: { value: undefined },
    arrival: {
      value: vus ? undefined : { count: level, per_us: 1_000_000 },
    },
  };
}

function unitOf({ vus }: CapacityRequest): Capacity["unit"] {
  return vus ? "vus" : "requests_per_second";
}
