import { systemClock } from "../../lib/base/time/clock.ts";
import {
  compileFlow,
  type Environment,
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "../../lib/compile.ts";
import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import {
  LEAST_SECONDS,
  readEvidence,
} from "../../lib/results/comparison/evidence.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { latencyText } from "../../lib/results/report/figures.ts";
import { atHighest } from "../../lib/language/flow/profile.ts";
import { checkBegun, exitCodeOf } from "../../lib/results/report/exit_code.ts";
import { emptyLoad } from "../../lib/results/report/thresholds.ts";
import {
  type Listener,
  rateMemory,
  routeNotes,
  type RunOptions,
  type RunOutcome,
  type Stop,
} from "../../lib/run.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { storeDirectory } from "../options/store.ts";
import { readConnection } from "../options/connection.ts";
import { attendedRun } from "../run/attended_run.ts";
import type { Console } from "../terminal/console.ts";
import { printError, showWarnings } from "../terminal/errors.ts";
import { showComparison, storeDuel } from "./compare.ts";
import { MORE_ROWS } from "./capacity_trial.ts";
import type { DuelFlags } from "./judging_options.ts";

/** Said where a side has an exit code of its own. */
export const UNFINISHED = "a side did not finish: there is nothing to compare";

/**
 * Runs a flow against two targets at once, and says whether the second is better or
 * worse. Returns the exit code: 1 when it is worse.
 */
export async function duelCommand(
  file: string,
  flags: DuelFlags,
  console: Console,
): Promise<number> {
  const flow = await readFlowFile(file, console);
  const { seed, http, workers } = flags;
  const connection = readConnection(flags, console);
  const storeDir = storeDirectory(flags.store);
  const result = await duel({
    ...flags,
    ...{ flow, environment: systemEnvironment },
    targets: [
      await readTargetFile(flags.target, flow),
      await readTargetFile(flags.against, flow),
    ],
    onPrepared(sides) {
      warn(sides, flags, console);
      const bases = sides.flatMap((each) => each.bases);
      // One of the host of either side has an effect.
      for (const each of routeNotes({ bases }, connection.route).unused) {
        console.err(`note: ${each}\n`);
      }
    },
    carryOut: (prepared, side) =>
      attendedRun(prepared, {
        ...{ seed, storeDir, http, workers, ...connection, ...side },
        quiet: flags.quiet || side.side > 0,
      }, console),
  });
  if ("comparison" in result) {
    const { comparison } = result;
    await storeDuel(storeDir, comparison, console);
    return await showComparison(comparison, flags, console);
  }
  printError(console, UNFINISHED);
  return result.unfinished;
}

function warn(
  [a, b]: readonly PreparedRun[],
  { target, against }: DuelFlags,
  console: Console,
): void {
  const same = a!.target.base_urls[0] === b!.target.base_urls[0];
  if (same && target !== against) {
    console.err("note: both targets have the same base URL\n");
  }
  showWarnings(a!, console);
}

/** One of the two runs: it begins with the other, and its request slots are due in turns. */
export type DuelSide =
  & Required<Pick<RunOptions, "side" | "listeners">>
  & Pick<RunOptions, "rate">;

/** Which targets are compared, and how. */
interface DuelRequest extends Pick<DuelFlags, "for" | "vus" | "margin"> {
  readonly flow: InputFile;
  /** The one that is compared with, then the one that is judged. */
  readonly targets: readonly [base: InputFile, candidate: InputFile];
  readonly environment: Environment;
  /** Called with both sides before anything is sent. */
  readonly onPrepared?: (sides: readonly PreparedRun[]) => void;
  readonly carryOut: (
    prepared: PreparedRun,
    side: DuelSide,
  ) => Promise<RunOutcome<string>>;
}

/** The result of a duel, or the exit code of a side that did not finish. */
type DuelResult =
  | { readonly comparison: RunComparison }
  | { readonly unfinished: number };

/** Runs a flow against two targets at once, and compares the second with the first. */
export async function duel(request: DuelRequest): Promise<DuelResult> {
  const { targets, environment, margin } = request;
  const flow = await withSteadyLoad(request);
  const sides = await Promise.all(
    targets.map((target) => prepareRun(flow, target, environment)),
  );
  request.onPrepared?.(sides);
  const outcomes = await bothRuns(sides, request);
  const codes = outcomes.map(({ meta }) => exitCodeOf(meta));
  const unfinished = codes.find((code) => code > EXIT.verdictFailed);
  if (unfinished !== undefined) return { unfinished };
  for (const { meta } of outcomes) checkBegun(meta);
  checkShown(outcomes);
  const early = outcomes.flatMap(({ meta }) => earlyEnd(meta, request.for));
  checkLength(early);
  const [base, candidate] = await Promise.all(
    outcomes.map(({ directory }) =>
      readEvidence(directory, systemClock.wall())
    ),
  );
  const paired = { margin, paired: true };
  const comparison = compareRuns(candidate!, [base!], paired);
  const notes = [...comparison.notes, ...early.map(({ text }) => text)];
  return { comparison: { ...comparison, notes } };
}

/** A side that ended before its time. */
interface EarlyEnd {
  readonly durationMs: number;
  readonly text: string;
  readonly hint?: string;
}

function earlyEnd(
  { id, status, duration_ms, abort_reason }: RunMeta,
  forUs: number,
): EarlyEnd[] {
  if (duration_ms >= forUs / 1_000) return [];
  const isDry = status === "finished";
  const why = isDry
    ? "a pool has no rows left"
    : abort_reason ?? `the run is ${status}`;
  const text = `${id}: it ended after ${latencyText(duration_ms)} of ${
    latencyText(forUs / 1_000)
  }: ${why}`;
  return [{ durationMs: duration_ms, text, ...(isDry && { hint: MORE_ROWS }) }];
}

/** @throws {BenchError} for a side that ended before there was enough to compare */
function checkLength(early: readonly EarlyEnd[]): void {
  const short = early.find(({ durationMs }) =>
    durationMs < LEAST_SECONDS * 1_000
  );
  if (!short) return;
  const { text, hint } = short;
  throw new BenchError(
    `there is nothing to compare: ${text}, expected at least ${LEAST_SECONDS}s`,
    { exitCode: EXIT.errored, ...(hint !== undefined && { hint }) },
  );
}

/**
 * Checks that the runs of a duel show something of at least one target.
 *
 * @throws {BenchError} when both fail for that
 */
function checkShown(outcomes: readonly RunOutcome[]): void {
  const metas = outcomes.map(({ meta }) => meta);
  if (!metas.every(emptyLoad)) return;
  const message = `there is nothing to compare: ${metas[0]!.reason?.text}`;
  throw new BenchError(message, { exitCode: EXIT.verdictFailed });
}

/**
 * Carries both runs out. They begin at one moment, so that their seconds are the same,
 * and neither does where one makes no load.
 */
async function bothRuns(
  sides: readonly PreparedRun[],
  { carryOut }: DuelRequest,
): Promise<readonly RunOutcome<string>[]> {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const stops: Stop[] = [];
  const together: Listener = {
    start({ options: { stop } }) {
      stops.push(stop);
      if (stops.length === sides.length) {
        const going = stops.filter(({ requested }) => !requested);
        if (going.length < stops.length) {
          for (const each of going) each.soft("setup", NO_OTHER);
        }
        ready.resolve();
      }
      return ready.promise;
    },
  };
  // Sides on one host keep its `max_rps` together.
  const rate = haveOneOrigin(sides) ? { rate: rateMemory() } : {};
  const runs = sides.map(async (prepared, index) => {
    const side = index === 0 ? 0 : 1;
    try {
      return await carryOut(prepared, {
        side,
        listeners: [together],
        ...rate,
      });
    } catch (error) {
      // The other side would wait for one that never comes.
      ready.reject(error);
      throw error;
    }
  });
  // That one is stored as a run that ended, before the command does.
  await Promise.allSettled(runs);
  return await Promise.all(runs);
}

function haveOneOrigin(sides: readonly PreparedRun[]): boolean {
  const origins = sides.map(({ target }) =>
    new URL(target.base_urls[0]!).origin
  );
  return new Set(origins).size === 1;
}

const NO_OTHER = "the other side of the duel made no load";

/** A day: no warm-up is longer. */
const LONG_US = 24 * 60 * 60 * 1_000_000;

/**
 * A flow with the load of its profile at its peak, for a given time: without ramp
 * and stages, and without a bound on iterations.
 *
 * @throws {InputError} when the flow does not compile
 */
async function withSteadyLoad(
  { flow: input, for: holdUs, vus, environment }: DuelRequest,
): Promise<InputFile> {
  const { flow: { profile } } = await compileFlow({
    ...input,
    mode: { value: "load" },
    // A profile without an end is no error here, nor is a warm-up as long as its hold.
    load: { hold_us: { value: holdUs + LONG_US } },
  }, environment);
  const { vus: levels } = atHighest(profile);
  const peak = typeof levels === "number"
    ? levels
    : Math.max(levels.from, levels.to);
  return {
    ...input,
    mode: { value: "load" },
    load: {
      vus: { value: vus ?? Math.max(1, peak) },
      // The warm-up comes before what is compared.
      hold_us: { value: holdUs + (profile.warm_up_us ?? 0) },
      iterations: { value: undefined },
    },
  };
}
