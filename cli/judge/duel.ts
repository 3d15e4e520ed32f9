import { systemClock } from "../../lib/base/time/clock.ts";
import {
  compileFlow,
  type InputFile,
  type PreparedRun,
  prepareRun,
  type World,
} from "../../lib/compile.ts";
import { EXIT } from "../../lib/base/errors/exit.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import { readEvidence } from "../../lib/results/comparison/evidence.ts";
import { exitCodeOf } from "../../lib/results/report/exit_code.ts";
import type { DuelSide, StoredOutcome } from "../../lib/run.ts";
import { Barrier } from "./barrier.ts";

/** Which targets are compared, and how. */
interface DuelRequest extends SteadyLoad {
  readonly flow: InputFile;
  /** The one that is compared with, then the one that is judged. */
  readonly targets: readonly [base: InputFile, candidate: InputFile];
  readonly world: World;
  /** As a share. */
  readonly margin: number;
  /** Called with both sides before anything is sent. */
  readonly onPrepared: (sides: readonly PreparedRun[]) => void;
  readonly carryOut: (
    prepared: PreparedRun,
    duel: DuelSide,
  ) => Promise<StoredOutcome>;
}

/** What a duel came to, or the exit code of a side that did not finish. */
type DuelResult =
  | { readonly comparison: RunComparison }
  | { readonly unfinished: number };

/** Runs a flow against two targets at once, and compares the second with the first. */
export async function duel(request: DuelRequest): Promise<DuelResult> {
  const { targets, world, margin } = request;
  const flow = await withSteadyLoad(request.flow, request);
  const sides = await Promise.all(
    targets.map((target) => prepareRun(flow, target, world)),
  );
  request.onPrepared(sides);
  const outcomes = await bothRuns(sides, request);
  const codes = outcomes.map(({ meta }) => exitCodeOf(meta));
  const unfinished = codes.find((code) => code > EXIT.verdictFailed);
  if (unfinished !== undefined) return { unfinished };
  const [base, candidate] = await Promise.all(
    outcomes.map(({ directory }) =>
      readEvidence(directory, systemClock.wall())
    ),
  );
  const paired = { margin, paired: true };
  return { comparison: compareRuns(candidate!, [base!], paired) };
}

/** Both begin at one moment, so that their seconds are the same. */
async function bothRuns(
  sides: readonly PreparedRun[],
  { carryOut }: DuelRequest,
): Promise<readonly StoredOutcome[]> {
  const barrier = new Barrier(sides.length);
  return await Promise.all(sides.map(async (prepared, index) => {
    const side = index === 0 ? 0 : 1;
    try {
      return await carryOut(prepared, { side, together: barrier.arrive });
    } catch (error) {
      barrier.break(error);
      throw error;
    }
  }));
}

/** A load that stays as it is. */
interface SteadyLoad {
  /** Microseconds. */
  readonly for: number;
  /** In place of the profile's. */
  readonly vus?: number;
}

/**
 * A flow with the load of its profile at its peak, for a given time: without ramp,
 * and without a bound on iterations.
 *
 * @throws {InputError} when the flow does not compile
 */
async function withSteadyLoad(
  input: InputFile,
  { for: holdUs, vus }: SteadyLoad,
): Promise<InputFile> {
  const { flow: { profile } } = await compileFlow({
    ...input,
    // A flow whose profile says no end is no error here.
    mode: "integration",
  });
  const peak = typeof profile.vus === "number"
    ? profile.vus
    : Math.max(profile.vus.from, profile.vus.to);
  return {
    ...input,
    mode: "load",
    load: {
      vus: vus ?? Math.max(1, peak),
      hold_us: holdUs,
      ...(profile.arrival && { arrival: profile.arrival }),
    },
  };
}
