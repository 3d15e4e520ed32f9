import { countText } from "../../results/report/figures.ts";
import { sum } from "../../base/values/sum.ts";
import type { RunPlan } from "../plan/plan.ts";
import { plannedMs } from "../plan/ramp.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";

/** Why a run that finished began fewer iterations than its plan asks for. */
export function unmetIterations(
  plan: RunPlan,
  reports: readonly WorkerReport[],
  durationMs: number,
): string | undefined {
  const { iterations, ramp, executor } = plan;
  const begun = sum(reports, (each) => each.snapshot.iterations.started);
  if (iterations === undefined || begun >= iterations) return undefined;
  const cause = executor === "rows" || durationMs < plannedMs(plan)
    ? "a pool ran dry"
    : ramp?.to === 0
    ? "the ramp ended at 0 VUs"
    : "`hold` ended first";
  return `${countText(begun)} of ${
    countText(iterations)
  } iterations began: ${cause}`;
}
