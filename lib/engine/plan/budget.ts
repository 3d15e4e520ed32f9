import type { Flow, Step } from "../../model/ir/flow.ts";
import type { RunPlan } from "./plan.ts";
import { plannedMs } from "./ramp.ts";

/** How much a run may do. Infinity where nothing bounds it but the target. */
export interface Budget {
  readonly iterations: number;
  /** Requests of one iteration: without retries, and at the most. */
  readonly requestsPerIteration: {
    readonly least: number;
    readonly most: number;
  };
  readonly requests: number;
  /** Milliseconds new work is begun; Infinity when only iterations bound it. */
  readonly durationMs: number;
}

/**
 * The budget of a plan, before anything is sent.
 *
 * @param sends whether a step makes requests
 */
export function requestBudget(
  flow: Flow,
  plan: RunPlan,
  sends: (step: Step) => boolean,
): Budget {
  const requesting = flow.steps.filter(sends);
  const least = requesting.length;
  const most = requesting.reduce((sum, step) => sum + mostAttempts(step), 0);
  const iterations = plan.iterations ?? Infinity;
  const durationMs = plan.executor === "rows" ? Infinity : plannedMs(plan);
  const offered = plan.arrivalPerSecond === undefined
    ? Infinity
    : Math.ceil(plan.arrivalPerSecond * durationMs / 1_000);
  return {
    iterations,
    requestsPerIteration: { least, most },
    requests: Math.min(most === 0 ? 0 : iterations * most, offered),
    durationMs,
  };
}

function mostAttempts(step: Step): number {
  if (step.retry) return step.retry.max_attempts;
  const { max_attempts: rounds, timeout_us: timeout, interval_us: interval } =
    step.block;
  const byTime = typeof timeout === "number" && typeof interval === "number"
    ? Math.ceil(timeout / interval)
    : Infinity;
  const byRounds = typeof rounds === "number" ? rounds : Infinity;
  const bound = Math.min(byTime, byRounds);
  return Number.isFinite(bound) ? bound : 1;
}
