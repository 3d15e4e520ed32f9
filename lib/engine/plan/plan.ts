import { formatDuration } from "../../base/values/duration.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { placedSteps } from "../../language/flow/flow.ts";
import type { Flow, Profile, Target } from "../../language/ir.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import { sum } from "../../base/values/sum.ts";
import { waitsUs } from "../../steps/registry.ts";
import {
  boundsOf,
  highestOf,
  levelOf,
  type LoadBounds,
} from "../../model/course.ts";
import type { Shard } from "./shard.ts";
import type { Turns } from "./turns.ts";

/** How iterations are scheduled. */
type Executor = "rows" | "closed" | "open";

/** The plan of a run: plain data. */
export interface RunPlan extends LoadBounds {
  readonly mode: Mode;
  readonly executor: Executor;
  readonly seed: number;
  /** The part of the run that this process carries out; all of it when absent. */
  readonly shard?: Shard;
  /** The most VUs at any moment, in the whole run. */
  readonly peakVus: number;
  /** How iterations go round the flows of a mix; absent for a flow by itself. */
  readonly turns?: Turns;
  /** The row of each pool that iteration 0 has; 0 when absent. */
  readonly firstRow?: number;
  /** The iteration of an earlier run that is carried out once more. */
  readonly replays?: ReplayedIteration;
  /** How the open executor's slots follow one another; evenly when absent. */
  readonly arrivals?: ArrivalPattern;
  /** Of two runs at once: the open executor's slots are due in turns. */
  readonly side?: 0 | 1;
  /** Ceiling on outbound requests a second. */
  readonly maxRps?: number;
  readonly requestTimeoutMs: number;
  /** How long iterations under way may go on after the end. */
  readonly graceMs: number;
}

/** The number, rows and values of an iteration, so that it is the same once more. */
export interface ReplayedIteration {
  /** Its number, which decides its rows and its values. */
  readonly iteration: number;
  /** Its run handed out every row of a pool once. */
  readonly everyRow: boolean;
  /** The values that were drawn for it, as text by name. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** The options of a plan, beside flow and target. */
interface PlanOptions
  extends Pick<RunPlan, "seed" | "shard" | "arrivals" | "side" | "replays"> {
  /** The flows of a mix, each with the size of its first fixture; 1 without one. */
  readonly mix?: readonly {
    readonly flow: Flow;
    readonly weight: number;
    readonly rows: number;
  }[];
  /** Of the first fixture, when there is one. */
  readonly rows?: number;
  /** The one row to run, in integration and system modes. */
  readonly row?: number;
}

/** The plan for `flow` against `target`. */
export function makePlan(
  flow: Flow,
  target: Target,
  options: PlanOptions,
): RunPlan {
  const { profile } = flow;
  const shared = {
    mode: profile.mode,
    seed: options.seed,
    ...(options.shard && { shard: options.shard }),
    peakVus: peakVus(profile),
    requestTimeoutMs: target.request_timeout_us / 1_000,
    ...(target.max_rps !== undefined && { maxRps: target.max_rps }),
    graceMs: graceMs(options.mix?.map((each) => each.flow) ?? [flow]),
    ...turnsIn(options, profile),
  };
  if (isFunctional(profile.mode)) {
    const { rows = 1, row, replays } = options;
    const all = shared.turns ? sum(shared.turns.of, (each) => each) : rows;
    const one = replays || row !== undefined && !shared.turns;
    return {
      ...shared,
      executor: "rows",
      iterations: one ? 1 : all,
      ...(replays && { replays }),
      ...(row !== undefined && { firstRow: row }),
    };
  }
  const bounds = boundsOf(profile);
  return {
    ...shared,
    ...bounds,
    ...(bounds.rate
      ? {
        executor: "open",
        ...(options.arrivals === "poisson" && { arrivals: "poisson" }),
        ...(options.side !== undefined && { side: options.side }),
      }
      : { executor: "closed" }),
  };
}

/** Each flow of a mix is run once a row in functional modes, and else by its weight. */
function turnsIn(
  { mix, row, replays }: PlanOptions,
  { mode }: Profile,
): Pick<RunPlan, "turns"> {
  if (!mix) return {};
  if (!(replays?.everyRow ?? isFunctional(mode))) {
    return { turns: { of: mix.map(({ weight }) => weight), mixed: true } };
  }
  const rowsOf = (rows: number) =>
    row === undefined ? rows : Number(row < rows);
  return { turns: { of: mix.map(({ rows }) => rowsOf(rows)), mixed: false } };
}

/** Reports what the target forbids about a profile. Ceilings refuse, they never clamp. */
export function checkPlan(
  profile: Profile,
  target: Target,
  report: Report,
): void {
  if (target.disallowed_modes?.includes(profile.mode)) {
    report({
      at: "/profile/mode",
      code: "disallowed-mode",
      message: `target \`${target.name}\` does not allow ${profile.mode} runs`,
      hint: `its \`disallowed_modes\`: ${target.disallowed_modes.join(", ")}`,
    });
  }
  const peak = peakVus(profile);
  if (target.max_vus !== undefined && peak > target.max_vus) {
    report({
      at: peakAt(profile, "vus"),
      code: "max-vus",
      message:
        `the profile plans ${peak} VUs, but target \`${target.name}\` allows ${target.max_vus}`,
      hint: "plan fewer, or ask the target's owner for a higher `max_vus`",
    });
  }
  const { rate } = boundsOf(profile);
  const offered = rate && highestOf(rate);
  if (
    offered !== undefined && target.max_rps !== undefined &&
    !isFunctional(profile.mode) && offered > target.max_rps
  ) {
    report({
      at: peakAt(profile, "arrival"),
      code: "max-rps",
      message: `the profile offers ${
        Number(offered.toPrecision(6))
      } requests a second, but target \`${target.name}\` allows ${target.max_rps}`,
      hint: "offer fewer, or ask the target's owner for a higher `max_rps`",
    });
  }
}

/** Reports steps that wait longer for a response than the target allows. */
export function checkTimeouts(
  flow: Flow,
  target: Target,
  report: Report,
): void {
  for (const { step: { id, timeout_us = 0 }, pointer } of placedSteps(flow)) {
    if (timeout_us <= target.request_timeout_us) continue;
    report({
      at: `${pointer}/timeout_us`,
      code: "step-timeout",
      message: `step \`${id}\` allows an attempt ${
        formatDuration(timeout_us)
      }, but target \`${target.name}\` allows ${
        formatDuration(target.request_timeout_us)
      }`,
      hint: "lower `timeout`, or raise the target's `request_timeout`",
    });
  }
}

function peakVus(profile: Profile): number {
  const { vus, mode } = profile;
  const course = isFunctional(mode) ? undefined : boundsOf(profile).vus;
  if (course) return Math.max(1, highestOf(course));
  return typeof vus === "number" ? vus : 1;
}

/** Where the profile says its highest level, in the IR. */
function peakAt({ stages }: Profile, key: "vus" | "arrival"): string {
  const levels = stages?.map((stage) => stage[key] && levelOf(stage)) ?? [];
  const highest = Math.max(...levels.map((level) => level ?? -1));
  const index = levels.indexOf(highest);
  return index < 0 ? `/profile/${key}` : `/profile/stages/${index}/${key}`;
}

/** How the requests of an open loop follow one another. */
export const ARRIVALS = ["constant", "poisson"] as const;
export type ArrivalPattern = (typeof ARRIVALS)[number];

/**
 * How long iterations under way may go on after the end of a run, beside the waits
 * of their flow, in milliseconds.
 */
export const GRACE_MS = 30_000;

/** A timer cannot be much longer, and no run should take so long to end. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * How long iterations under way may go on when a run ends, in milliseconds: what
 * the flow itself makes them wait, and half a minute for everything else. An
 * iteration that ends sooner holds nothing up.
 */
function graceMs(flows: readonly Flow[]): number {
  const waits = Math.max(
    ...flows.map(({ steps }) => sum(steps, (step) => waitsUs(step)[1])),
  );
  return Math.min(LONGEST_MS, GRACE_MS + waits / 1_000);
}

/** A rehearsal is never longer, in milliseconds. */
const MOST_MS = 500;
/** Nor longer than this part of what the plan takes. */
const MOST_SHARE = 0.1;
/** One that is shorter would not be worth it. */
const LEAST_MS = 200;
/** A plan of as many iterations rehearses as long as any. */
const MANY_ITERATIONS = 10_000;

/**
 * How long a run rehearses at the most, in milliseconds; 0 for one that does not:
 * short ones, and integration and system runs.
 */
export function rehearsalMs(
  { mode, endMs, iterations }: Pick<RunPlan, "mode" | "endMs" | "iterations">,
): number {
  if (isFunctional(mode)) return 0;
  const byTime = (endMs ?? Infinity) * MOST_SHARE;
  const byNumber = (iterations ?? Infinity) / MANY_ITERATIONS * MOST_MS;
  const ms = Math.min(MOST_MS, byTime, byNumber);
  return ms < LEAST_MS ? 0 : ms;
}
