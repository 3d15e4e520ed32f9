import { sum } from "../../base/values/sum.ts";
import type { Flow } from "../../language/ir.ts";
import { requestsOf } from "../../steps/registry.ts";
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

/** The budget of a plan, before anything is sent. */
export function budgetOf(
  { flow }: { readonly flow: Flow },
  plan: RunPlan,
): Budget {
  const requesting = flow.steps.filter((step) => requestsOf(step) > 0);
  const least = requesting.length;
  const most = sum(
    requesting,
    (step) => step.retry?.max_attempts ?? requestsOf(step),
  );
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
